// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/option_text.h>

namespace mugrad::cli {

/// The flags of the options that messages of the library mention.
inline constexpr OptionNames kOptionFlags = {{
    {Option::format, "--format"},
    {Option::labels_xml, "--labels"},
    {Option::label_columns, "--label-columns"},
    {Option::label_count, "--label-count"},
    {Option::drop, "--drop"},
    {Option::keep_ids, "--keep-ids"},
    {Option::tags, "--tags"},
    {Option::number_columns, "--number"},
    {Option::category_columns, "--category"},
    {Option::text_columns, "--text"},
    {Option::date_columns, "--date"},
    {Option::identifier_columns, "--id"},
    {Option::missing, "--impute"},
    {Option::delimiter, "--delimiter"},
    {Option::min_words, "--min-words"},
    {Option::max_words, "--max-words"},
    {Option::min_characters, "--min-characters"},
    {Option::max_characters, "--max-characters"},
    {Option::min_documents, "--min-documents"},
    {Option::max_document_share, "--max-document-share"},
    {Option::max_terms, "--max-terms"},
    {Option::hash_bits, "--hash-bits"},
    {Option::mirror, "--from"},
    {Option::resume, "--resume"},
    {Option::table_format, "--format"},
    {Option::different_options, "--allow-different-options"},
    {Option::row_shards, "--row-shards"},
}};
static_assert(is_complete(kOptionFlags));

/// Makes the library's messages write options as flags.
void write_options_as_flags() noexcept;

}  // namespace mugrad::cli
