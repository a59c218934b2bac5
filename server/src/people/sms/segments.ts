/** The characters of GSM 03.38 that take one septet, and those of its extension, which take two. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('^{}\\[~]|€')
const plain: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
  '\u202f': ' ',
}

/** Typographic signs in the form that a text message has for them; one of them would halve the room of the whole message. */
export function asPlainText(text: string): string {
  return text.replace(/[’‘“”„–—…\u00a0\u202f]/g, (sign) => plain[sign] ?? sign)
}

/** Septets in GSM-7, or null if the text needs UCS-2. */
function septetsOf(text: string): number | null {
  let septets = 0
  for (const sign of text) {
    if (basic.has(sign)) septets += 1
    else if (extended.has(sign)) septets += 2
    else return null
  }
  return septets
}

/** The number of segments that a text is sent and charged as: 160 or 153 septets each, or 70 or 67 UTF-16 units. */
export function segmentsOf(text: string): number {
  const septets = septetsOf(text)
  if (septets !== null) return septets <= 160 ? 1 : Math.ceil(septets / 153)
  return text.length <= 70 ? 1 : Math.ceil(text.length / 67)
}
