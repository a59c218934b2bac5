export const maxEmailLength = 254

/**
 * A single mailbox address: no lists, blanks or line breaks, within the standard's length limits (CVE-2022-35924), and no letters
 * that are invisible or that mail servers replace by others, such as full-width ones: two addresses are two mailboxes.
 */
export function isEmail(text: string): boolean {
  if (text.length > maxEmailLength || /[\p{C}\p{DI}\s,;:<>()[\]\\"]/u.test(text)) return false
  if (text.normalize('NFKC') !== text.normalize('NFC')) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  if (at < 1 || local.length > 64 || local.includes('@') || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return false
  return (
    labels.length >= 2 && labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label)) && /\p{L}$/u.test(text)
  )
}
