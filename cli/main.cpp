// SPDX-License-Identifier: MIT
#include <mugrad/version.h>

#include <cstdio>

int main() { std::puts(mugrad::kVersion); }
