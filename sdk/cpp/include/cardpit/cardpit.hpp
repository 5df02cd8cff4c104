/// Write a Cardpit bot: derive a class from cardpit::Bot, then return cardpit::run<TheClass>() from main.
#pragma once

#include "cardpit/bot.hpp"
#include "cardpit/cards.hpp"
#include "cardpit/random.hpp"
#include "cardpit/views.hpp"
