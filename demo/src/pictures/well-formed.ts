/** Problems in a picture's markup; empty if there are none. Tags nest and close, attributes are quoted, every reference is defined and every id is unique. */
export function faults(svg: string): string[] {
  const found: string[] = []
  const open: string[] = []
  for (const [, close, name, attributes, self] of svg.matchAll(/<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g)) {
    if (close) {
      if (open.pop() !== name) found.push(`</${name}> closes something else`)
    } else if (!self) open.push(name ?? '')
    if (/\b([\w-]+)="[^"]*".*\s\1="/.test(attributes ?? '')) found.push(`<${name}${attributes}> says an attribute twice`)
  }
  if (open.length) found.push(`left open: ${open.join(' ')}`)
  const stripped = svg.replace(/<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g, '')
  if (/[<>]/.test(stripped)) found.push(`not well-formed near ${stripped.slice(Math.max(0, stripped.search(/[<>]/) - 20)).slice(0, 60)}`)
  if (/NaN|undefined|Infinity|null/.test(svg)) found.push('a number went missing')
  if (/<(script|image|use|foreignObject|filter)\b|href=|on\w+=/.test(svg)) found.push('something that does not belong in a picture')
  const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map((m) => m[1])
  if (new Set(ids).size !== ids.length) found.push('an id twice')
  for (const [, ref] of svg.matchAll(/url\(#([^)]+)\)/g)) if (!ids.includes(ref)) found.push(`no definition of ${ref}`)
  return found
}
