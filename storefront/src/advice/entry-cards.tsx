import type { ReactNode } from 'react'
import type { EntryCardFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { kindOf, levelOf, timeOf } from './say.ts'
import styles from './entry-cards.module.css'

/** Guides, comparisons and projects to choose from; each is one link. */
export function EntryCards({
  cards,
  context,
  heading: Heading = 'h3',
}: {
  cards: readonly EntryCardFragment[]
  context: ShopContext
  heading?: 'h2' | 'h3'
}): ReactNode {
  const { t } = context
  return (
    <ul className={styles.cards}>
      {cards.map(
        (card) =>
          card.url && (
            <li key={`${card.kind} ${card.id}`} className={styles.card}>
              {card.pictureUrl && <img src={card.pictureUrl} width={480} height={480} alt="" loading="lazy" />}
              <div className={styles.words}>
                <p className={styles.kind}>{t('advice.kind', { kind: kindOf(card.kind) })}</p>
                <Heading className={styles.title}>
                  <a href={card.url}>{card.title}</a>
                </Heading>
                {card.minutes !== null && (
                  <p className={styles.facts}>
                    {card.difficulty === null
                      ? timeOf(card.minutes, t)
                      : t('advice.time-and-difficulty', { time: timeOf(card.minutes, t), level: levelOf(card.difficulty) })}
                  </p>
                )}
              </div>
            </li>
          ),
      )}
    </ul>
  )
}
