import { Button, Field, Icon, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import { cartField } from '../cart/cart-form.ts'
import type { PaintQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { replaceableSum } from '../shell/replaceable-price.ts'
import { needField, type TypedNeed } from './need.ts'
import styles from './paint.module.css'

interface PaintCalculatorProps {
  paint: NonNullable<PaintQuery['paint']>
  need: TypedNeed
  area: number
  path: string
  context: ShopContext
}

/** Two forms: the area, whose answer is this page again, and the tins, which go into the basket. Neither needs a script. */
export function PaintCalculator({ paint, need, area, path, context }: PaintCalculatorProps): ReactNode {
  const { t } = context
  return (
    <div className={styles.calculator}>
      <form className={styles.ask} method="get" action={`${path}#tins`}>
        <Field
          name={needField('area')}
          label={t('paint.area')}
          hint={t('paint.area-hint')}
          error={need.isWrong ? t('paint.area-wrong') : undefined}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={need.area}
        />
        <Select
          name={needField('coats')}
          label={t('paint.coats')}
          defaultValue={String(need.coats)}
          options={['1', '2', '3'].map((value) => ({ value, label: value }))}
        />
        <Button look="secondary">{t('paint.calculate')}</Button>
      </form>
      <Tins paint={paint} need={need} area={area} context={context} />
      <p className={styles.note}>{t('paint.coverage-of', { coverage: paint.coverage })}</p>
    </div>
  )
}

function Tins({ paint: { plan, color }, need: { coats, isWrong }, area, context }: Omit<PaintCalculatorProps, 'path'>): ReactNode {
  const { t } = context
  if (isWrong) return null
  if (!color || color.tins.length === 0) return <p className={styles.short}>{t('paint.not-sold')}</p>
  if (!plan) return <p className={styles.short}>{t('paint.short')}</p>
  const [first] = plan.lines
  const items = plan.lines.map(({ quantity, tin }) => ({ offerId: tin.card.offerId, quantity }))
  return (
    <div className={styles.answer} id="tins">
      <p className={styles.litres}>{t.rich('paint.needs', { b: (words) => <b>{words}</b> }, { coats, area, litres: plan.litres })}</p>
      {!first ? (
        <p className={styles.short}>{t('paint.short')}</p>
      ) : (
        <form className={styles.tins} method="post" action={paths.cart()}>
          <input type="hidden" name={cartField('do')} value="add-all" />
          <ul>
            {plan.lines.map(({ quantity, total, tin }, at) => (
              <li key={tin.card.offerId} className={styles.tin}>
                <img src={tin.card.imageFullpath} width={56} height={56} alt="" />
                <span>
                  <a href={tin.url}>{t('paint.line', { quantity, litres: tin.litres })}</a>
                  {tin.card.prices.unit && <small data-unit-price>{tin.card.prices.unit.label}</small>}
                </span>
                <b {...replaceableSum(context, items.slice(at, at + 1))}>{total.formatted}</b>
                <input type="hidden" name={cartField('take')} value={tin.card.offerId} />
                <input type="hidden" name={cartField(`quantities.${tin.card.offerId}`)} value={quantity} />
              </li>
            ))}
          </ul>
          <p className={styles.total}>
            <span>{t('cart.total')}</span>
            <b {...replaceableSum(context, items)}>{plan.total.formatted}</b>
          </p>
          <p className={styles.note}>{plan.spare > 0 ? t('paint.spare', { spare: plan.spare }) : t('paint.exact')}</p>
          <Button size="l" icon="cart">
            {t('goods.add')}
          </Button>
          <p className={styles.delivery}>
            <Icon name="truck" />
            {first.tin.card.deliveryPromise}
          </p>
        </form>
      )}
    </div>
  )
}
