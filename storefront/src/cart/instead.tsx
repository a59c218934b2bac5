import { Button, Panel, Price } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { Rail } from '../shell/rail.tsx'
import { conditionWords, priceWords } from '../shell/words.ts'
import type { CartInsteadFragment } from '../generated/documents.ts'
import { cartField } from './cart-form.ts'
import styles from './cart.module.css'

/** Alternatives to a line that cannot be bought: the same product from another seller in its place, else similar ones. */
export function InsteadOf({ instead, context }: { instead: CartInsteadFragment; context: ShopContext }): ReactNode {
  const { t } = context
  const { offerId, title, offers, alternatives } = instead
  if (offers.length === 0) return <Rail title={t('cart.instead-products', { title })} cards={alternatives} context={context} />
  return (
    <Panel flush>
      <section aria-labelledby={`instead-${offerId}`}>
        <div className={styles.sellerHead}>
          <h2 id={`instead-${offerId}`} className={styles.sellerName}>
            {t('cart.instead-offers', { title })}
          </h2>
        </div>
        <ul>
          {offers.map((offer) => (
            <li key={offer.id} className={styles.other}>
              <div className={styles.otherWhat}>
                <Price block={offer.price} words={priceWords(context)} size="s" saysTax={context.mode === 'b2b'} offerId={null} />
                <p className={styles.small}>
                  {[
                    t('cart.instead-seller', { seller: offer.seller.name }),
                    ...(offer.conditionLabel ? [conditionWords(offer.conditionLabel)] : []),
                  ].join(' · ')}
                </p>
                <p className={styles.promise}>{offer.deliveryPromise}</p>
              </div>
              <form method="post">
                <input type="hidden" name={cartField('do')} value="replace" />
                <input type="hidden" name={cartField('offerId')} value={offerId} />
                <input type="hidden" name={cartField('byOfferId')} value={offer.id} />
                <Button look="secondary" aria-label={t('cart.instead-take-from', { seller: offer.seller.name })}>
                  {t('cart.instead-take')}
                </Button>
              </form>
            </li>
          ))}
        </ul>
      </section>
    </Panel>
  )
}
