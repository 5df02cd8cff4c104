// The log of a submission, as it grows, until the submission is accepted or refused.

const PAUSE = 500; // milliseconds between two looks

const root = document.getElementById("submission");
const log = document.getElementById("log");
const shown = document.getElementById("status");

if (root.dataset.open === "true") follow();

async function follow() {
  let open = true;
  let known = Number(root.dataset.known);
  while (open) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const answer = await fetch(`${root.dataset.source}?after=${known}`).catch(() => null);
    if (answer === null) continue; // The server is away; it may come back.
    if (!answer.ok) return location.reload();
    const submission = await answer.json();
    known = submission.log_size;
    if (submission.log) {
      log.append(submission.log);
      log.scrollTop = log.scrollHeight;
    }
    if (shown.textContent !== submission.status) {
      shown.textContent = submission.status;
      shown.className = `status ${submission.status}`;
    }
    open = submission.status === "waiting" || submission.status === "running";
    if (submission.version) {
      const link = document.createElement("a");
      link.href = `/bots/${submission.bot}`;
      link.textContent = `${submission.bot} ${submission.version}`;
      document.getElementById("became").replaceChildren("It became ", link, ".");
    }
  }
}
