import { Chips, type ChipData } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ListingFragment } from '../generated/documents.ts'
import { addressOf, withLiteral, withoutLiteral, type ListingChoice } from '../listing/listing-address.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './search.module.css'

/**
 * What the words of a search were taken to mean, as chips that can be taken off: the words are then searched for as typed,
 * until they are understood again. Plain links, each to an address of its own.
 */
export function Understood({
  context,
  listing,
  choice,
  path,
}: {
  context: ShopContext
  listing: ListingFragment
  choice: ListingChoice
  path: string
}): ReactNode {
  const { t } = context
  const parts = listing.understood
  if (parts.length === 0 && choice.literal.length === 0) return null
  const chips = parts.map((part): ChipData => {
    const label = labelOf(part, context)
    const href = addressOf(path, withLiteral(choice, part.text))
    return { label, href, remove: t('search.understood.remove', { label, words: part.text }) }
  })
  const none = parts.reduce((rest, { text }) => withLiteral(rest, text), choice)
  return (
    <div className={styles.understood}>
      {chips.length > 0 && <span aria-hidden>{t('search.understood.label')}</span>}
      <Chips
        chips={chips}
        clear={{ href: addressOf(path, none), label: t('search.understood.none') }}
        label={t('search.understood.label')}
      />
      {choice.literal.map((part) => (
        <a key={part} className={styles.again} href={addressOf(path, withoutLiteral(choice, part))}>
          {t('search.understood.again', { words: part })}
        </a>
      ))}
    </div>
  )
}

function labelOf({ kind, text, name, value }: ListingFragment['understood'][number], { t }: ShopContext): string {
  switch (kind) {
    case 'thing':
      return t('search.understood.thing', { words: text })
    case 'purpose':
      return t('search.understood.purpose', { words: text })
    case 'without':
      return name === null ? text : t('search.understood.without', { name, value: value ?? text })
    case 'attribute':
    case 'brand':
    case 'condition':
    case 'category':
      return t('search.understood.value', { name: name ?? text, value: value ?? text })
  }
}
