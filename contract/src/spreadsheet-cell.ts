/** Quoted; text that a spreadsheet would run as a formula begins with an apostrophe (A56). Amounts are numbers and stay. */
export function spreadsheetCell(text: string): string {
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-?\d+[.,]\d{2}$/.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
