// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad {

/// A date becomes days since 1970, month (1 to 12), weekday (1 is Monday) and hour.
inline constexpr int kDateFeatures = 4;

/// The days since 1970 of the years 0 to 9999, and a day more on both sides for time zones.
inline constexpr double kFirstDay = -719'529;
inline constexpr double kLastDay = 2'932'898;

}  // namespace mugrad
