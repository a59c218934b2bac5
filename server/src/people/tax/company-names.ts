/** Legal forms and short words, which registers and people include or omit at will. */
const forms = new Set(
  'ag and cie co company cv de der des di die du e et eirl ek eurl gbr gmbh gmbhcokg inc kg la le les limited llp ltd ltda mbh ohg plc sa sarl sas sasu sl slu snc sociedad spa srl srls the ug und y'.split(
    ' ',
  ),
)

function wordsIn(name: string): Set<string> {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[.'’]/g, '')
  return new Set((plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !forms.has(word)))
}

/**
 * Whether two spellings may name the same company: each distinctive word of the shorter one is in the other, and is at least half of it.
 * One common word, such as a surname, does not name a company whose name has three more.
 */
export function namesAgree(one: string, other: string): boolean {
  const [fewer, more] = [wordsIn(one), wordsIn(other)].toSorted((a, b) => a.size - b.size)
  return (
    fewer !== undefined && more !== undefined && fewer.size > 0 && fewer.size * 2 >= more.size && [...fewer].every((word) => more.has(word))
  )
}
