/**
 * The number in a cell of a table, NaN if there is none. "<1 %" comes before "1 %", and ">99 %" after "99 %".
 *
 * @param {string} text
 */
export function numberOf(text) {
  if (text === "") return NaN;
  const beside = { "<": -1e-9, ">": 1e-9 }[text[0]] ?? 0;
  return Number(text.replace("−", "-").replace(/[<>%\s]/g, "")) + beside;
}
