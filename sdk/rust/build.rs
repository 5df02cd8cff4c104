//! Makes the messages from the protos: those beside the kit, or else those of the checkout it lies in.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let protos = ["proto", "../../proto"];
    let folder = protos.into_iter().find(|folder| Path::new(folder).is_dir()).unwrap_or(protos[0]);
    println!("cargo:rerun-if-changed={folder}/cardpit/v1/referee.proto");
    tonic_prost_build::configure()
        .build_server(false)
        .compile_protos(&[format!("{folder}/cardpit/v1/referee.proto")], &[folder.to_string()])
}
