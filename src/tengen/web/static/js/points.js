// Points as players write them: column letter, row number from the bottom.
export function toText(x, y, size) {
  return String.fromCharCode(97 + x) + (size - y);
}

export function toXY(text, size) {
  return [text.charCodeAt(0) - 97, size - Number(text.slice(1))];
}

export function isOn(text, size) {
  const [x, y] = toXY(text, size);
  return x >= 0 && y >= 0 && x < size && y < size;
}

/** "h8i9" or "h8 i9" as a list. */
export function split(text) {
  return text.toLowerCase().match(/[a-z][1-9][0-9]?/g) ?? [];
}

export const other = (color) => (color === "black" ? "white" : "black");

/** Whose turn it is after so many moves. */
export const turnAt = (ply) => (ply % 2 === 0 ? "black" : "white");
