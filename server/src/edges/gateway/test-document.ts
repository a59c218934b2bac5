import { type DocumentNode, Lexer, Source, TokenKind, visit } from 'graphql'

/** For tests: what the scanner counts without parsing, counted by the parser. */
export function tokensOf(text: string): number {
  const lexer = new Lexer(new Source(text))
  let tokens = 0
  while (lexer.advance().kind !== TokenKind.EOF) tokens++
  return tokens
}

export function levelsOf(document: DocumentNode): number {
  let level = 0
  let deepest = 0
  visit(document, {
    SelectionSet: { enter: () => void (deepest = Math.max(deepest, ++level)), leave: () => void level-- },
  })
  return deepest
}
