// SPDX-License-Identifier: MIT
#pragma once

// MUGRAD_SANITIZED: compiled with the address or the thread sanitizer, by g++ or by clang. They
// make programs slow, reserve far more memory than they use, and end the process where malloc would
// fail.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MUGRAD_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MUGRAD_SANITIZED
#endif
#endif
