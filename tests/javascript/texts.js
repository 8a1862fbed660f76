// Texts of the kinds that break offsets, for property tests.
import fc from "fast-check";

const PIECES = [
  "a", "The", "1,204", "3.5", "7", " ", "\t", "\u00a0", "\u200b", "\r\n", "\n", ".", ",", "'s", "-", "é", "e\u0301",
  "🦉", "❤\ufe0f", "👩\u200d🚀", "👍🏽", "🇫🇷", "1\ufe0f\u20e3", "𝒩", "防守", "1742年建", "ที่", "ประเทศไทย", "คำ",
  "かが\u3099", "東京タワー", "한국", "\u1109\u1165", "किलो", "مدينة", "می\u200cخ", "\u0301", "\u00ad", "\u200d",
];

export const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(""));

/** A function that gives a span of the text whose code points it is called with. */
export const spanIn = fc.tuple(fc.nat(), fc.nat()).map(([one, other]) => (chars) => {
  const edges = [one % (chars.length + 1), other % (chars.length + 1)].sort((a, b) => a - b);
  return [edges[0], edges[1]];
});
