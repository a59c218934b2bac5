import { Icon, Price } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { replaceable } from '../shell/replaceable-price.ts'
import { priceWords } from '../shell/words.ts'
import styles from './added-sheet.module.css'
import type { Recommended } from './recommended.tsx'

const shown = 6

/** Recommendations for a product just added to the cart; a script shows them over the page. */
export function AddedSheet({ recommended, context }: { recommended: Recommended; context: ShopContext }): ReactNode {
  const { t } = context
  if (recommended.length === 0) return null
  const sources = new Set(recommended.map((each) => each.source))
  const source = sources.size === 1 ? [...sources].join('') : 'several'
  return (
    <aside data-row="added" data-recommended={`add_to_cart ${source}`} className={styles.sheet} aria-label={t('history.added')}>
      <div className={styles.head}>
        <h2>{t('history.added')}</h2>
        <button type="button" className={styles.close} aria-label={t('shell.close')}>
          <Icon name="close" />
        </button>
      </div>
      <ul className={styles.items} tabIndex={0} aria-label={t('history.added')}>
        {recommended.slice(0, shown).map(({ card }) => (
          <li key={card.productId}>
            <a href={card.url}>
              <img src={card.imageFullpath} width={64} height={64} alt="" />
              <span>
                <span className={styles.title}>{card.title}</span>
                <Price
                  block={card.prices}
                  words={priceWords(context)}
                  size="s"
                  saysDiscount={false}
                  offerId={replaceable(context, card.offerId)}
                />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </aside>
  )
}
