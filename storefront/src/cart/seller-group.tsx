import { Alert, Check, cx, Icon, Meter, Panel, Price, Quantity } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { conditionWords, priceWords } from '../shell/words.ts'
import type { CartRefusal } from './cart-action.ts'
import type { CartLineFragment, CartSellerFragment } from '../generated/documents.ts'
import { cartField } from './cart-form.ts'
import { packOf } from './pack.ts'
import { unavailableMessages } from './unavailable-messages.ts'
import styles from './cart.module.css'

interface SellerGroupProps {
  group: CartSellerFragment
  context: ShopContext
  refusal: CartRefusal | undefined
  canRequestQuote: boolean
}

/** One seller's goods, their delivery, and the remaining amount to free delivery. */
export function SellerGroup({ group, context, refusal, canRequestQuote }: SellerGroupProps): ReactNode {
  const { t } = context
  return (
    <Panel flush>
      <section aria-labelledby={`seller-${group.seller.id}`}>
        <div className={styles.sellerHead}>
          <h2 id={`seller-${group.seller.id}`} className={styles.sellerName}>
            <Icon name="store" />
            <span>{t.rich('cart.from', { seller: (name) => <a href={group.seller.url}>{name}</a> }, { name: group.seller.name })}</span>
          </h2>
          <FreeDelivery group={group} t={t} />
        </div>
        <ul>
          {group.lines.map((line) => (
            <Line
              key={line.offerId}
              line={line}
              context={context}
              refusal={refusal?.offerId === line.offerId ? refusal.message : undefined}
            />
          ))}
        </ul>
        <Delivery group={group} context={context} />
        {canRequestQuote && (
          <p className={styles.quote}>
            <a href={paths.quoteRequest({}, { seller: String(group.seller.id) })}>{t('quote.request')}</a>
          </p>
        )}
      </section>
    </Panel>
  )
}

function FreeDelivery({ group, t }: { group: CartSellerFragment; t: ShopContext['t'] }): ReactNode {
  const { freeDeliveryFrom: from, missingForFreeDelivery: missing, subtotal } = group
  if (!from) return null
  const label = missing ? t('cart.missing-for-free', { amount: missing.formatted }) : t('cart.free-reached')
  return (
    <div className={styles.free}>
      <p className={cx(styles.freeText, !missing && styles.freeReached)}>{label}</p>
      <Meter value={missing ? from.amount - missing.amount : subtotal.amount} max={missing ? from.amount : subtotal.amount} label={label} />
    </div>
  )
}

function Line({ line, context, refusal }: { line: CartLineFragment; context: ShopContext; refusal: string | undefined }): ReactNode {
  const { t } = context
  const words = priceWords(context)
  const gone = unavailableMessages[line.state]
  const canBuy = gone === null
  return (
    <li className={cx(styles.line, !canBuy && styles.lineGone)}>
      <a href={line.url} className={styles.picture} tabIndex={-1} aria-hidden="true">
        <img src={line.imageUrl} width={96} height={96} alt="" loading="lazy" />
      </a>
      <div className={styles.what}>
        <h3 className={styles.lineTitle}>
          <a href={line.url}>{line.title}</a>
        </h3>
        {line.conditionLabel && <p className={styles.small}>{conditionWords(line.conditionLabel)}</p>}
        {line.attributes.length > 0 && (
          <p className={styles.small}>
            {line.attributes
              .slice(0, 3)
              .map(({ label, value, unit }) => t('goods.attribute', { label, value: unit ? `${value} ${unit}` : value }))
              .join(' · ')}
          </p>
        )}
        {gone ? <p className={styles.gone}>{t(`cart.state.${gone}`)}</p> : <p className={styles.promise}>{line.deliveryPromise}</p>}
        {canBuy && line.nextBreak && (
          <p className={styles.promise}>
            {t('quantity-break.next', { count: line.nextBreak.missing, saving: line.nextBreak.saving.formatted })}
          </p>
        )}
        {refusal && <Alert severity="danger" title={refusal} />}
        <div className={styles.lineTools}>
          {canBuy && (
            <form method="post" data-cart-quantity>
              <input type="hidden" name={cartField('do')} value="set" />
              <input type="hidden" name={cartField('offerId')} value={line.offerId} />
              <Quantity
                small
                name={cartField('quantity')}
                submitAs={cartField('to')}
                value={line.quantity}
                step={line.step}
                max={line.maxQuantity}
                words={{ label: t('cart.quantity-of', { title: line.title }), less: t('cart.less'), more: t('cart.more') }}
              />
              <button className={cx(styles.textButton, 'without-js')}>{t('cart.update')}</button>
            </form>
          )}
          <form method="post">
            <input type="hidden" name={cartField('do')} value="remove" />
            <input type="hidden" name={cartField('offerId')} value={packOf(line.offerId, line.quantity)} />
            <button className={styles.textButton} aria-label={t('cart.remove-named', { title: line.title })}>
              <Icon name="trash" size={18} />
              {t('cart.remove')}
            </button>
          </form>
        </div>
      </div>
      {canBuy && (
        <div className={styles.sum}>
          <p className={styles.total}>{line.total.formatted}</p>
          {line.isYourPrice && <p className={styles.promise}>{t('your-price.label')}</p>}
          {/* A professional's cart may hold both: goods of this country without VAT, goods from abroad with it. */}
          {context.mode === 'b2b' && (
            <p className={styles.each}>{line.unitPrice.taxKey === 'with_vat' ? words.withVat : words.withoutVat}</p>
          )}
          {line.quantity > 1 && (
            <div className={styles.each}>
              <span>{line.quantity} ×</span>
              <Price block={{ ...line.unitPrice, retail: null, secondary: null, discount: null }} words={words} size="s" offerId={null} />
            </div>
          )}
        </div>
      )}
    </li>
  )
}

/** Delivery options of this seller. */
function Delivery({ group, context: { t } }: { group: CartSellerFragment; context: ShopContext }): ReactNode {
  if (group.deliveryOptions.length === 0) return null
  return (
    <form method="post" className={styles.delivery} data-cart-delivery>
      <input type="hidden" name={cartField('do')} value="delivery" />
      <input type="hidden" name={cartField('sellerId')} value={group.seller.id} />
      <fieldset>
        <legend className={styles.deliveryTitle}>{t('cart.delivery-how')}</legend>
        {group.deliveryOptions.map((option) => (
          <Check
            key={option.kind}
            type="radio"
            name={cartField('kind')}
            value={option.kind}
            defaultChecked={option.kind === group.deliveryKind}
            label={
              <span className={styles.option}>
                <span>
                  {option.label}
                  <small>{option.promise}</small>
                </span>
                <b>{option.fee.amount === 0 ? t('goods.free') : option.fee.formatted}</b>
              </span>
            }
          />
        ))}
      </fieldset>
      <button className={cx(styles.textButton, 'without-js')}>{t('cart.delivery-choose')}</button>
    </form>
  )
}
