import { Button, ButtonLink, EmptyState, Field, Price } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { cartField } from '../cart/cart-form.ts'
import { BoughtProductsDocument, type BoughtProductFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { pageIn, Pages } from '../shell/pages.tsx'
import { priceWords } from '../shell/words.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './buy-again.module.css'

export async function load(context: ShopContext) {
  const asked = pageIn(context)
  const { boughtProducts } = await context.client.query(BoughtProductsDocument, { page: asked })
  if (asked > 1 && boughtProducts.products.length === 0) return notFound()
  return { data: boughtProducts, title: context.t('again.title'), robots: 'noindex' }
}

/** Everything bought so far, with today's best offer; the ticked articles go to the cart at one press. Source. */
export function Page({ data: { products, total, page, pages }, context }: PageProps<typeof load>): ReactNode {
  const { t, pathname } = context
  const canBuy = products.some(({ card }) => card !== null)
  return (
    <AccountFrame context={context} here="buyAgain" title={t('again.title')}>
      {products.length === 0 ? (
        <EmptyState icon="box" title={t('again.none')} actions={<ButtonLink href="/">{t('account.shop')}</ButtonLink>}>
          <p>{t('again.none.text')}</p>
        </EmptyState>
      ) : (
        <form method="post" action={paths.cart()} className={styles.list}>
          <input type="hidden" name={cartField('do')} value="add-all" />
          <input type="hidden" name={cartField('from')} value={page === 1 ? pathname : `${pathname}?page=${page}`} />
          <p className={styles.note}>{t('again.count', { count: total })}</p>
          <ul>
            {products.map((product) => (
              <Bought key={product.productId} product={product} context={context} />
            ))}
          </ul>
          {canBuy && (
            <p className={styles.add}>
              <Button size="l" icon="cart">
                {t('again.add')}
              </Button>
            </p>
          )}
        </form>
      )}
      <Pages page={page} pages={pages} context={context} />
    </AccountFrame>
  )
}

function Bought({ product, context }: { product: BoughtProductFragment; context: ShopContext }): ReactNode {
  const { t, formats } = context
  const { productId, title, imageUrl, times, quantity, lastBoughtAt, card } = product
  return (
    <li className={styles.item}>
      {card && (
        <label className={styles.tick}>
          <input type="checkbox" name={cartField('take')} value={card.offerId} defaultChecked={product.isDue} />
          <span className="hidden">{t('again.take', { title })}</span>
        </label>
      )}
      <img src={card?.imageFullpath ?? imageUrl} width={80} height={80} alt="" loading="lazy" />
      <div className={styles.what}>
        {card ? <a href={card.url}>{card.title}</a> : <b>{title}</b>}
        <span className={styles.note}>{t('again.bought', { times, date: formats.date(lastBoughtAt) })}</span>
        <Due product={product} context={context} />
        {card ? (
          <span className={styles.note}>{[card.sellerName, card.deliveryPromise].filter(Boolean).join(' · ')}</span>
        ) : (
          <Gone product={product} context={context} />
        )}
      </div>
      {card && (
        <div className={styles.amount}>
          <Price block={card.prices} words={priceWords(context)} size="s" saysTax offerId={card.offerId} />
          <Field
            name={cartField(`quantities.${card.offerId}`)}
            label={t('again.quantity')}
            aria-label={t('again.quantity-of', { title })}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={String(inPacks(quantity, card.bulk))}
            id={`quantity-${productId}`}
          />
        </div>
      )}
    </li>
  )
}

function Due({ product, context: { t, formats } }: { product: BoughtProductFragment; context: ShopContext }): ReactNode {
  const { neededAgainAt, isDue } = product
  if (neededAgainAt === null) return null
  return <span className={styles.due}>{isDue ? t('again.due') : t('again.due-on', { date: formats.date(neededAgainAt) })}</span>
}

/** Without an offer: the most similar product, if there is one. */
function Gone({ product: { instead }, context: { t } }: { product: BoughtProductFragment; context: ShopContext }): ReactNode {
  if (!instead) return <span className={styles.note}>{t('again.gone')}</span>
  return (
    <span className={styles.note}>
      {t.rich('again.gone-instead', { link: (text) => <a href={instead.url}>{text}</a> }, { title: instead.title })}
    </span>
  )
}

/** The quantity of the latest order, in the steps of today's offer. */
function inPacks(quantity: number, bulk: number | null): number {
  return bulk === null ? quantity : Math.ceil(quantity / bulk) * bulk
}
