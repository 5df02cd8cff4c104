#include "bot.hpp"

int main() { return cardpit::run<RandomBot>(); }
