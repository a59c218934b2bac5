import { Badges, Icon, Panel, Price, Quantity, typedNumber } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import { Island } from '@purlin/web/island.tsx'
import type { ReactNode } from 'react'
import { AddToCart } from '../cart/add-to-cart.tsx'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { replaceable } from '../shell/replaceable-price.ts'
import { Stars } from '../shell/stars.tsx'
import { conditionWords, priceWords } from '../shell/words.ts'
import type { ShownOfferFragment, ShownProductFragment } from '../generated/documents.ts'
import { cartField } from '../cart/cart-form.ts'
import { isSecondHand } from './offers-table.tsx'
import { buyForm, mostOf } from './buy-bar.tsx'
import styles from './buy-box.module.css'
import { QuantityBreaks } from './quantity-breaks.tsx'
import { Coverage } from './coverage.island.tsx'

const lowStock = 10
const unsaid = ['sponsored', 'promo', 'coupon']
const sparePercent = 10
const quantityField = 'quantity'
/** Bought by area or volume, not by the piece; cutting leaves waste. */
const measured: readonly string[] = ['m2', 'l', 'm', 'kg']
const cut: readonly string[] = ['m2', 'm']

/** The winning offer: price, quantity, add to cart, delivery, seller and why it won. */
export function BuyBox({
  product,
  offer,
  context,
}: {
  product: ShownProductFragment
  offer: ShownOfferFragment
  context: ShopContext
}): ReactNode {
  const { t } = context
  const step = offer.bulk ?? 1
  const max = mostOf(offer)
  // Goods that cannot be bought promise neither a day nor an end of its price. (V-38)
  const canBuy = max > 0
  return (
    <Panel>
      <div className={styles.box}>
        {/* This position cannot be bought, so nothing here is sponsored; reduction and voucher are shown below. */}
        <Badges badges={offer.badges.filter((badge) => !unsaid.includes(badge.type))} />
        <Price block={offer.price} words={priceWords(context)} size="l" saysTax offerId={replaceable(context, offer.id)} />
        {canBuy && offer.retailPriceTimeLeftLabel && (
          <p className={styles.ends} data-ends="">
            <Icon name="clock" size={16} />
            {t('product.offer', { ends: offer.retailPriceTimeLeftLabel })}
          </p>
        )}
        {canBuy && offer.coupon && (
          <p className={styles.coupon}>
            <Icon name="tag" size={16} />
            {offer.coupon.label.includes(offer.coupon.code) ? offer.coupon.label : t('product.coupon', { ...offer.coupon })}
          </p>
        )}
        {canBuy && offer.payByInvoiceFrom && (
          <p className={styles.note}>
            <a href={paths.billie()}>{t('credit.product', { amount: offer.payByInvoiceFrom.formatted })}</a>
          </p>
        )}
        {canBuy && <QuantityBreaks offer={offer} t={t} />}
        {offer.conditionLabel && <p className={styles.condition}>{conditionWords(offer.conditionLabel)}</p>}
        {canBuy ? (
          <Enhance with="quantity" when="visible">
            {measured.includes(product.unitMeasure ?? '') && product.unitQuantity && (
              <CoverageHelper product={product} step={step} max={max} context={context} />
            )}
            <AddToCart t={t} offerId={offer.id} title={product.title} quantity={step} id={buyForm}>
              <Quantity
                id={quantityField}
                name={cartField('quantity')}
                value={step}
                step={step}
                max={max}
                words={{ label: t('cart.quantity'), less: t('cart.less'), more: t('cart.more') }}
              />
            </AddToCart>
            {step > 1 && <p className={styles.note}>{t('product.bulk', { step })}</p>}
            {context.mode === 'b2b' && (
              <p className={styles.note}>
                <a href={paths.quoteRequest({}, { offer: offer.id })}>{t('quote.request')}</a>
              </p>
            )}
          </Enhance>
        ) : (
          <p className={styles.out}>{t('product.out-of-stock')}</p>
        )}
        <SecondHandLink product={product} offer={offer} context={context} />
        <Stock stock={offer.stock} t={t} />
        {canBuy && <Delivery offer={offer} context={context} />}
        <div className={styles.seller}>
          <Icon name="store" />
          <div>
            <p>
              {t.rich(
                'product.sold-by',
                { seller: (name) => <a href={offer.seller.url}>{name}</a> },
                { name: offer.seller.name, country: offer.seller.countryName },
              )}
              {offer.isMmf && <span className={styles.fulfilled}>{t('goods.fulfilled')}</span>}
            </p>
            <Stars of={offer.seller} context={context} />
          </div>
        </div>
        {product.bestOfferReason && product.offers.length > 1 && (
          <details className={styles.why}>
            <summary>{t('product.why')}</summary>
            <p>{product.bestOfferReason}</p>
            <p>{t.rich('product.why-how', { ranking: (words) => <a href={paths.ranking()}>{words}</a> })}</p>
          </details>
        )}
      </div>
    </Panel>
  )
}

/** The cheapest second-hand offer, if the one in the box is new. */
function SecondHandLink({
  product,
  offer,
  context: { t },
}: {
  product: ShownProductFragment
  offer: ShownOfferFragment
  context: ShopContext
}): ReactNode {
  const used = product.offers.filter((other) => isSecondHand(other) && other.stock > 0)
  const [first, ...more] = used.map(({ landedPrice }) => landedPrice)
  if (!first || isSecondHand(offer)) return null
  const cheapest = more.reduce((least, price) => (price.amount < least.amount ? price : least), first)
  return (
    <p className={styles.note}>
      <a href="#second-hand">
        {t.rich('second-hand.from', { amount: (words) => <span data-least="">{words}</span> }, { price: cheapest.formatted })}
      </a>
    </p>
  )
}

function Delivery({ offer, context }: { offer: ShownOfferFragment; context: ShopContext }): ReactNode {
  const { t } = context
  const offerId = replaceable(context, offer.id)
  return (
    <ul className={styles.delivery}>
      {offer.delivery.map((option) => (
        <li key={option.kind}>
          <Icon name={option.kind === 'relay' ? 'store' : 'truck'} />
          <span>
            <b>{option.promise}</b>
            <span className={styles.option} data-fee={offerId === null ? undefined : `${offerId} ${option.kind}`}>
              {t('product.delivery-option', {
                kind: option.label,
                fee: option.fee.amount === 0 ? t('goods.free') : option.fee.formatted,
              })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Stock({ stock, t }: { stock: number; t: ShopContext['t'] }): ReactNode {
  if (stock <= 0) return null
  const isLow = stock <= lowStock
  return (
    <p className={isLow ? styles.low : styles.stock}>
      <Icon name={isLow ? 'clock' : 'check'} size={16} />
      {isLow ? t('product.low-stock', { count: stock }) : t('product.in-stock')}
    </p>
  )
}

interface HelperProps {
  product: ShownProductFragment
  step: number
  max: number
  context: ShopContext
}

/** The calculator for goods sold by a measure. React loads on first interaction: most buyers know their quantity. */
function CoverageHelper({ product, step, max, context }: HelperProps): ReactNode {
  return (
    <Island
      with="coverage"
      of={Coverage}
      when="interact"
      props={{
        field: quantityField,
        unit: context.t(`product.unit.${product.unitMeasure}` as 'product.unit.m2'),
        perArticle: product.unitQuantity ?? 1,
        step,
        max,
        sparePercent: cut.includes(product.unitMeasure ?? '') ? sparePercent : null,
        paint: product.unitMeasure === 'l' ? spreadingRate(product) : null,
      }}
      words={[
        'product.coverage',
        'product.coverage-need',
        'product.coverage-spare',
        'product.coverage-answer',
        'product.paint-area',
        'product.paint-coats',
      ]}
      context={context}
    />
  )
}

/** Square metres a litre of paint covers, from its data; null for what is not paint. */
function spreadingRate({ attributes }: ShownProductFragment): number | null {
  const rate = typedNumber(attributes.find(({ key }) => key === 'coverage')?.value ?? '')
  return rate !== null && rate > 0 ? rate : null
}
