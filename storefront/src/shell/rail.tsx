import { Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { CardFragment } from '../generated/documents.ts'
import { CardRow } from './card-list.tsx'
import type { ShopContext } from './context.ts'

interface RailProps {
  title: string
  cards: readonly CardFragment[]
  context: ShopContext
  more?: { href: string; label: string }
}

/** A row of cards with its title; nothing if there are none. */
export function Rail({ title, cards, context, more }: RailProps): ReactNode {
  if (cards.length === 0) return null
  return (
    <Section title={title} more={more}>
      <CardRow cards={cards} context={context} label={title} />
    </Section>
  )
}
