/** Rooms that most properties have, as the chat page offers them. */
const USUAL_ROOMS = ['Hallway', 'Kitchen', 'Living Room', 'Bedroom 1', 'Bedroom 2', 'Bathroom', 'Garden'];

/** The form in which the service compares names of areas: capitals, separators and the shape of an apostrophe make no difference. */
function slug(words) {
  return words
    .replace(/[\u00b4\u0060\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032\uff07]/g, "'")
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[\s\p{Pd}\p{Pc}\p{Cc}/\u2044\u2212\u2215]+/gu, ' ')
    .trim();
}
