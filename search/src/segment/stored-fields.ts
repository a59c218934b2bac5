import type { Numbers } from './segment-format.ts'

/** Sink of the documents themselves, as JSON in UTF-8, in order of arrival. */
export interface DocumentSink {
  write(json: Buffer): void
}

/** Records the position of each document in the sink. */
export interface StoredFieldsWriter {
  add(json: Buffer): void
  write(sections: Map<string, Numbers>, order: Uint32Array): void
}

export function storedFieldsWriter(sink: DocumentSink): StoredFieldsWriter {
  const starts: number[] = []
  const lengths: number[] = []
  let size = 0
  return {
    add(json) {
      starts.push(size)
      lengths.push(json.length)
      size += json.length
      sink.write(json)
    },
    write(sections, order) {
      sections.set(
        'jsonStarts',
        Float64Array.from(order, (document) => starts[document]!),
      )
      sections.set(
        'jsonLengths',
        Uint32Array.from(order, (document) => lengths[document]!),
      )
    },
  }
}
