import type { ReactNode } from 'react'
import { badgeTypes, type Badge as BadgeData } from '@purlin/contract/price.ts'
import styles from './badge.module.css'

/** Sponsored products are labelled discreetly but always; other badges by what they promise. The style sheet knows them by their type. */
export function Badge({ badge: { type, label } }: { badge: { type: string; label: string } }): ReactNode {
  return <span data-badge={type}>{label}</span>
}

/** At most three, in the contract's fixed order. */
export function Badges({ badges }: { badges: readonly { type: string; label: string }[] }): ReactNode {
  const shown = inOrder(badges).slice(0, 3)
  if (shown.length === 0) return null
  return (
    <ul className={styles.list}>
      {shown.map((badge) => (
        <li key={badge.type}>
          <Badge badge={badge} />
        </li>
      ))}
    </ul>
  )
}

/** Sorts badges in the order the contract fixes. */
export function inOrder<Item extends { type: string }>(badges: readonly Item[]): Item[] {
  const place = (badge: Item) => {
    const index = badgeTypes.indexOf(badge.type as BadgeData['type'])
    return index < 0 ? badgeTypes.length : index
  }
  return badges.toSorted((one, other) => place(one) - place(other))
}
