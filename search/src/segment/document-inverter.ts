import type { Analyzer, Token } from '../analysis/analyzer.ts'
import type { SearchDocument } from '../types.ts'
import type { NormsWriter } from './norms.ts'
import type { PostingsWriter } from './postings-writer.ts'
import { valuesAt, type Scalar, type Schema } from './schema.ts'
import { VECTOR_WORDS, type TermVectorsWriter } from './term-vectors.ts'
import type { TermsWriter } from './terms-writer.ts'

const MAX_TOKENS_PER_FIELD = 10_000

export interface InvertedTo {
  terms: TermsWriter
  postings: PostingsWriter
  norms: NormsWriter
  vectors: TermVectorsWriter
}

/** Where tokens become terms: runs a document's texts through the analyzer and counts its words per field. */
export function documentInverter(schema: Schema, analyzer: Analyzer, to: InvertedTo): (document: SearchDocument) => void {
  const { terms, postings, norms, vectors } = to
  const values: Scalar[] = []

  function addToken(token: Token, field: number, isInVector: boolean): void {
    const surface = terms.surfaceId(token.surface, token.stem)
    postings.count(terms.stemOfSurface(surface), field)
    if (isInVector) vectors.add(surface)
    if (token.also) for (const term of token.also) postings.count(terms.stemOfSurface(terms.surfaceId(term, term)), field)
  }

  return (document) => {
    let words = 0
    for (let field = 0; field < schema.fields.length; field++) {
      values.length = 0
      let length = 0
      for (const value of valuesAt(document, schema.fields[field]!.name, values)) {
        for (const token of analyzer.analyze(String(value))) {
          if (token.isStopWord || length >= MAX_TOKENS_PER_FIELD) continue
          length++
          addToken(token, field, words++ < VECTOR_WORDS)
        }
      }
      norms.add(length)
    }
  }
}
