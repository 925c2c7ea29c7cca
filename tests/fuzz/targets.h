// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace mugrad::fuzz {

// One function per attacked part. Each takes any bytes. It returns when the part either accepted
// them or refused them with an Error, and throws, or is stopped by a sanitizer, otherwise.
//
// Readers of data files take their options from the first byte, see table_options.h.

void arff(std::string_view input);
void csv(std::string_view input);
void libsvm(std::string_view input);
void xmc(std::string_view input);
/// A file that may be compressed.
void compressed(std::string_view input);
void jsonl(std::string_view input);
/// A data file of a format that is not given.
void recognition(std::string_view input);
void label_xml(std::string_view input);
/// The transfer matrix, and the relations that `mugrad info --relations` writes.
void transfer(std::string_view input);
/// Loads a model, scores rows with it, and saves it again.
void model(std::string_view input);
/// A file of results, through to the tables and the report document.
void results(std::string_view input);
/// A file of a study, through to the report document.
void study(std::string_view input);
/// Figures that others published, as reports show them.
void published(std::string_view input);
/// Data sets of any content, written in every format and read again.
void data_writers(std::string_view input);
/// Results and studies of any content, written as JSON and read again.
void json_writers(std::string_view input);
/// Terms of texts: a vocabulary, and counts.
void texts(std::string_view input);

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};

inline constexpr std::array kTargets = {
    Target{"arff", arff},
    Target{"csv", csv},
    Target{"libsvm", libsvm},
    Target{"xmc", xmc},
    Target{"compressed", compressed},
    Target{"jsonl", jsonl},
    Target{"recognition", recognition},
    Target{"label_xml", label_xml},
    Target{"transfer", transfer},
    Target{"model", model},
    Target{"results", results},
    Target{"study", study},
    Target{"published", published},
    Target{"data_writers", data_writers},
    Target{"json_writers", json_writers},
    Target{"texts", texts},
};

}  // namespace mugrad::fuzz
