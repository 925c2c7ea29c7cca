#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes support tickets with tags, as data to try Mugrad with: docs/guide.md uses them.

    python3 examples/tickets.py --rows 2000 -o tickets.jsonl

Every ticket has an identifier, a date, a plan, a number of seats, two texts and one to three of some
twenty tags. It needs no package. The same arguments give the same bytes on every machine and in every version
of Python from 3.9: random numbers come from Random.random alone, and nothing calls the C library's
mathematics.
"""
import argparse
import bisect
import csv
import datetime
import io
import json
import random
import sys

# Tag: how often it is a ticket's first tag, tags that often come with it, and its words.
TAGS = {
    "billing": (20, ("refund", "pricing"), "invoice charge charged payment card billed amount "
                "receipt statement bank debit paid vat balance due overcharged"),
    "login": (18, ("password", "two-factor"), "login sign signing locked account session logout "
              "credentials access denied redirected attempt cookie username"),
    "bug": (15, ("crash", "browser"), "error broken wrong unexpected reproduce steps screenshot glitch "
            "fails bug regression console trace stack behaves"),
    "password": (12, ("login", "email"), "password reset forgot expired link change characters "
                 "temporary recover recovery secret reuse login locked"),
    "export": (10, ("import", "reports"), "export download csv spreadsheet excel file columns rows zip "
               "backup extract format encoding truncated"),
    "refund": (9, ("billing", "cancellation"), "refund money back reimbursed returned credit duplicate "
               "dispute charge payment cancelled guarantee"),
    "email": (9, ("notifications", "spam"), "email inbox message sender reply bounce bounced address "
              "delivered attachment signature forwarded mailbox"),
    "mobile": (8, ("crash", "notifications"), "phone app mobile android iphone tablet install installed "
               "store swipe screen tap offline version"),
    "performance": (8, ("crash", "api"), "slow loading timeout seconds minutes latency lag spinner waits "
                    "hangs faster performance peak freeze"),
    "notifications": (7, ("email", "mobile"), "notification notifications alert alerts push reminder digest "
                      "mute muted unread badge sound message"),
    "integration": (7, ("api", "sso"), "integration connect connected slack calendar sync webhook plugin "
                    "connector mapping third-party zapier token"),
    "api": (6, ("integration", "performance"), "api endpoint token request response rate limit json webhook "
            "header status 429 500 documentation client"),
    "reports": (6, ("export", "performance"), "report reports chart dashboard numbers totals filter weekly "
                "monthly metric columns average graph trend"),
    "cancellation": (5, ("refund", "pricing"), "cancel cancelled cancellation subscription close terminate "
                     "renewal contract leave downgrade stop"),
    "pricing": (5, ("billing", "cancellation"), "price pricing plan discount upgrade quote seats annual "
                "monthly cost cheaper trial offer subscription"),
    "crash": (4, ("bug", "mobile"), "crash crashes crashed closes freezes restart blank screen dump memory "
              "error suddenly lost reopen"),
    "import": (4, ("export", "bug"), "import upload uploaded csv file columns mapping rows duplicates skipped "
               "migrate template encoding merge"),
    "sso": (2, ("login", "two-factor"), "sso saml okta azure directory provider metadata certificate "
            "domain provisioning scim group assertion"),
    "two-factor": (2, ("login", "sso"), "code codes authenticator verification factor sms device token "
                   "backup phone 2fa enrol key"),
    "accessibility": (1, ("browser", "mobile"), "accessibility reader contrast keyboard font aria zoom label "
                      "focus colour blind caption shortcut"),
    "browser": (2, ("bug", "performance"), "browser chrome firefox safari edge cache cookies extension "
                "tab page console popup blocked version"),
    "spam": (1, ("email",), "spam junk phishing suspicious blocked filter unsolicited sender quarantine "
             "blacklist fake scam bulk"),
}
COMMON = (
    "the to i and we a is it in of on for that this my with our not have but was be when you as are "
    "from can after at has since all there please if they or no so do any now then still what an would "
    "your me one again only which some us how just by were been more today need new also team get see "
    "could will yesterday tried about like same two other out before week time work working use using "
    "does because every them first last month help page user customers thanks know day who help try "
    "hours colleague yet problem issue office morning anyone account nothing something support button "
    "settings happens always sometimes company system option click show shows department manager "
    "really whole already let while next data set check checked follow question name list open seems "
    "kind regards ticket number answer café naïve Zürich São München señor Łódź déjà-vu").split()
GREETINGS = ("Hello,", "Hi,", "Hi team,", "Good morning,", "Dear support,", "Hey", "Bonjour,", "Grüezi,", "")
NAMES = ("Ana", "Björn", "Chloé", "Dmitri", "Elif", "François", "Grace", "Håkon", "Ines", "José", "Kei",
         "Łukasz", "Mei", "Nils", "Olga", "Priya", "Zoë", "Søren", "Юлия", "健太", "민준")
ENDINGS = ("🙏", "😡", "👍", "🙂", "!!!", "…", "— sent from my phone", "¿?", "ありがとう", "спасибо")
SYLLABLES = "ba co di fe gu ha jo ki lo ma ne po qui ra so ti ur va wen xi yo za ter ling son".split()
PLANS = ("free", "team", "business", "enterprise")
# Of the plans above, by the first tag; the others have the usual shares.
PLAN_WEIGHTS = {"sso": (0, 1, 4, 15), "api": (1, 3, 5, 5), "pricing": (8, 5, 2, 1), "spam": (6, 3, 1, 1)}
USUAL_PLANS = (5, 6, 4, 2)
SEATS = {"free": 1, "team": 5, "business": 30, "enterprise": 200}
DIRTY_SEATS = ("n/a", "a dozen", "10-20", "unlimited", "?")
START = datetime.datetime(2024, 1, 1)
DAYS = 900
MOST_TAIL_WORDS = 12000
TAIL_SHARE = 0.35  # of their frequencies by Zipf's law: more of them would be hard to read

# How hard the tickets are.
TOPIC_SHARE = 0.16  # of the words of a sentence about a tag
OTHER_TOPIC_SHARE = 0.04  # words of tags that the ticket does not have
PHRASE = 0.4  # words of a tag that its next word follows, as in "invoice charge"
SMALL_TALK = 0.35  # sentences about nothing
FORGOTTEN_TAG = 0.06  # tags that the texts are about, but nobody set
STRAY_TAG = 0.03  # tags that somebody set, but no text is about


class Draw:
    """What can be drawn, from random numbers in [0, 1) alone."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def chance(self, probability):
        return self.random() < probability

    def below(self, count):
        return int(self.random() * count)

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def one_of(self, items):
        return items[self.below(len(items))]

    def weighted(self, sums):
        """A position, by cumulative sums of weights."""
        return bisect.bisect_right(sums, self.random() * sums[-1])


def running_sums(weights):
    sums, total = [], 0.0
    for weight in weights:
        total += weight
        sums.append(total)
    return sums


def zipf_sums(count):
    return running_sums(1.0 / (rank + 2) for rank in range(count))


class Language:
    """The words that tickets are made of. They do not depend on the seed of the tickets."""

    def __init__(self):
        self.topics = {tag: words.split() for tag, (_, _, words) in TAGS.items()}
        draw = Draw(0)
        tail = dict.fromkeys("".join(draw.one_of(SYLLABLES) for _ in range(draw.between(2, 4)))
                             for _ in range(MOST_TAIL_WORDS))
        self.noise = COMMON + list(tail)
        self.noise_sums = running_sums(
            (1.0 if rank < len(COMMON) else TAIL_SHARE) / (rank + 2) for rank in range(len(self.noise)))
        self.follower = {(tag, word): following for tag, words in self.topics.items()
                         for word, following in zip(words, words[1:])}
        self.topic_sums = {tag: zipf_sums(len(words)) for tag, words in self.topics.items()}
        self.tags = list(TAGS)
        self.tag_sums = running_sums(weight for weight, _, _ in TAGS.values())

    def topic_word(self, draw, tag):
        return self.topics[tag][draw.weighted(self.topic_sums[tag])]

    def noise_word(self, draw):
        if draw.chance(0.02):
            return str(draw.between(2, 9999))
        return self.noise[draw.weighted(self.noise_sums)]

    def first_tag(self, draw):
        return self.tags[draw.weighted(self.tag_sums)]


def with_typo(draw, word):
    """The word with two letters exchanged, one missing or one twice."""
    if len(word) < 4:
        return word
    at, kind = draw.between(1, len(word) - 3), draw.below(3)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2:]
    return word[:at] + word[at + 1:] if kind == 1 else word[:at] + word[at] + word[at:]


def sentence(draw, language, tag, length):
    words, follower = [], None
    for _ in range(length):
        if follower is not None and draw.chance(PHRASE):
            word = follower
        elif tag is not None and draw.chance(TOPIC_SHARE):
            word = language.topic_word(draw, tag)
        elif draw.chance(OTHER_TOPIC_SHARE):
            word = language.topic_word(draw, language.first_tag(draw))
        else:
            word = language.noise_word(draw)
        follower = language.follower.get((tag, word))
        words.append(with_typo(draw, word) if draw.chance(0.03) else word)
    if length > 8 and draw.chance(0.4):
        words[length // 2] += ","
    text = " ".join(words)
    return text[0].upper() + text[1:] + draw.one_of((".", ".", ".", "?", "!"))


def tags_of(draw, language):
    """One to three tags; further ones are often those that come with the first."""
    tags = [language.first_tag(draw)]
    for chance in (0.45, 0.3):
        if not draw.chance(chance):
            break
        partners = TAGS[tags[0]][1]
        tag = draw.one_of(partners) if draw.chance(0.7) else language.first_tag(draw)
        if tag not in tags:
            tags.append(tag)
    return tags


def set_tags(draw, language, topics):
    """What the support team set: mostly the tags that the texts are about."""
    tags = [tag for tag in topics if not draw.chance(FORGOTTEN_TAG)]
    if len(tags) < 3 and draw.chance(STRAY_TAG):
        stray = language.first_tag(draw)
        tags += [stray] if stray not in tags else []
    return tags or topics[:1]


def body_of(draw, language, topics):
    parts = [draw.one_of(GREETINGS)]
    for _ in range(draw.between(3, 9)):
        tag = None if draw.chance(SMALL_TALK) else draw.one_of(topics)
        parts.append(sentence(draw, language, tag, draw.between(5, 14)))
    if draw.chance(0.5):
        parts.append(draw.one_of(NAMES))
    if draw.chance(0.2):
        parts.append(draw.one_of(ENDINGS))
    return " ".join(part for part in parts if part)


def ticket(draw, language, number):
    topics = tags_of(draw, language)
    minutes = draw.below(DAYS * 24 * 60)
    created = (START + datetime.timedelta(minutes=minutes)).isoformat(timespec="minutes")
    plan = PLANS[draw.weighted(running_sums(PLAN_WEIGHTS.get(topics[0], USUAL_PLANS)))]
    seats = draw.between(1, 2 * SEATS[plan])
    return {
        "id": f"T-{number:06d}",
        "created": None if draw.chance(0.03) else created,
        "plan": plan,
        "seats": draw.one_of(DIRTY_SEATS) if draw.chance(0.01) else seats,
        "subject": sentence(draw, language, topics[0], draw.between(3, 7))[:-1],
        "body": body_of(draw, language, topics),
        "tags": set_tags(draw, language, topics),
    }


def json_line(record):
    return json.dumps(record, ensure_ascii=False) + "\n"


def csv_line(cells):
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def lines(rows, seed, first_id, file_format):
    draw, language = Draw(seed), Language()
    for row in range(rows):
        record = ticket(draw, language, first_id + row)
        if file_format == "jsonl":
            yield json_line(record)
            continue
        if row == 0:
            yield csv_line(record)
        record["tags"] = ";".join(record["tags"])
        yield csv_line("" if cell is None else cell for cell in record.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2000, help="number of tickets (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (%(default)s)")
    parser.add_argument("--first-id", type=int, default=1, help="number of the first (%(default)s)")
    parser.add_argument("--format", choices=("jsonl", "csv"), default="jsonl")
    parser.add_argument("-o", "--output", help="file to write, instead of standard output")
    given = parser.parse_args()
    text = lines(given.rows, given.seed, given.first_id, given.format)
    if given.output is None:
        for line in text:
            sys.stdout.buffer.write(line.encode())
        return
    with open(given.output, "wb") as file:
        file.writelines(line.encode() for line in text)


if __name__ == "__main__":
    main()
