// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace mugrad::cli {

/// Takes the descriptors 0 to 2 where they are closed, so that no file that is opened later gets
/// one of them and has messages or results written into it. Reading from and writing to a stream
/// that was closed fails as before. Call it before anything else.
void take_standard_streams() noexcept;

/// Writes a message to standard error, as it is. A message that cannot be written is dropped: no
/// exception, and no SIGPIPE either.
void write_message(std::string_view text) noexcept;

/// Writes a part of the result to standard output, at once. Throws InputError when that fails. A
/// reader that is slow is waited for, even where the stream is set not to block. One that has
/// closed its end of a pipe ends the program by SIGPIPE, as for other tools.
void write_result(std::string_view text);
/// Throws InputError when standard output says at the end that it could not keep the result.
void finish_result();

}  // namespace mugrad::cli
