import type { ReactNode } from 'react'
import type { TextLineFragment } from '../generated/documents.ts'
import { textPages } from '../information/text-pages.ts'

/** Words of a line, strong ones and links included. */
export function spansOf({ spans }: TextLineFragment): ReactNode {
  return spans.map(({ text, strong, page, anchor, href }, index) => {
    const words = strong ? <strong key={index}>{text}</strong> : text
    const target = page ? `${textPages[page]()}${anchor ? `#${anchor}` : ''}` : href
    if (!target) return words
    return (
      <a key={index} href={target} rel={target.startsWith('https:') ? 'noopener' : undefined}>
        {words}
      </a>
    )
  })
}

export function wordsOf({ spans }: TextLineFragment): string {
  return spans.map(({ text }) => text).join('')
}
