/** A dot in a domain name: besides the full stop those that IDNA counts as one, and look-alikes that become one by normalisation. */
const dot = '[.\u2024\u3002\uFE52\uFF0E\uFF61]'
const schemes = /(?<![\p{L}\p{N}+.-])[\p{L}\p{N}+.-]+:[/\u2044\u2215\uFF0F]+/gu
const insideDots = new RegExp(`(?<=\\S)${dot}(?=[^\\s\\p{P}\\p{N}])`, 'gu')
const insideSlashes = /(?<=\S)[/\u2044\u2215\uFF0F](?=\S)/gu

/** Typed words in a mail to somebody else, without addresses that mail programs make a link of, in any script. Numbers keep their dots. */
export function withoutLinks(text: string): string {
  return text.replace(schemes, '').replace(insideDots, ' ').replace(insideSlashes, ' ')
}
