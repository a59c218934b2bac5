import { Button, Field, Price } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import type { EntryFragment, EntryPartFragment, PriceFragment } from '../generated/documents.ts'
import { cartField } from '../cart/cart-form.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { ListSum } from '../shell/list-sum.tsx'
import { priceWords } from '../shell/words.ts'
import { spansOf } from './lines.tsx'
import styles from './shopping-list.module.css'

/** Where a refused list leads back to. */
const listId = 'shopping-list'

interface ShoppingListProps {
  entry: EntryFragment
  items: readonly EntryPartFragment[]
  context: ShopContext
}

/** Tools and materials with prices; one button adds the ticked ones to the cart, without a script. */
export function ShoppingList({ entry, items, context }: ShoppingListProps): ReactNode {
  const { t } = context
  const groups = (['materials', 'tools'] as const)
    .map((name) => ({ name, items: items.filter(({ isTool }) => isTool === (name === 'tools')) }))
    .filter((group) => group.items.length > 0)
  const sellers = new Set(items.flatMap(({ card }) => card?.sellerName ?? []))
  const canBuy = items.some(({ card }) => card !== null)
  const sum = entry.total && wholeSum(entry, context)
  return (
    <Enhance with="list-sum" when="visible">
      <form id={listId} className={styles.list} method="post" action={paths.cart()}>
        <input type="hidden" name={cartField('do')} value="add-all" />
        <input type="hidden" name={cartField('from')} value={`${context.pathname}#${listId}`} />
        {groups.map((group) => (
          <fieldset key={group.name} className={styles.group}>
            <legend>{t(`advice.${group.name}`)}</legend>
            <ul>
              {group.items.map((item) => (
                <Item key={item.id} item={item} context={context} />
              ))}
            </ul>
          </fieldset>
        ))}
        {canBuy && sum && (
          <div className={styles.sum}>
            <div>
              <ListSum className={styles.total} context={context}>
                {sum}
              </ListSum>
              <p className={styles.note}>{t('advice.sellers', { count: sellers.size })}</p>
            </div>
            <Button size="l" icon="cart">
              {t('advice.add-all')}
            </Button>
          </div>
        )}
      </form>
    </Enhance>
  )
}

/** Without a script nothing follows the ticks: what all of it costs, and the materials alone. */
function wholeSum({ total, materialsTotal, totalTaxKey }: EntryFragment, { t }: ShopContext): string {
  const taxed = (price: string) => t(totalTaxKey === 'without_vat' ? 'goods.price-without-vat' : 'goods.price-with-vat', { price })
  const all = taxed(total?.formatted ?? '')
  return materialsTotal && materialsTotal.amount > 0
    ? t('advice.total-materials', { materials: taxed(materialsTotal.formatted), all })
    : t('advice.total', { amount: all })
}

function Item({
  item: { id, title, blocks, card, quantity, isTool, moreUrl },
  context,
}: {
  item: EntryPartFragment
  context: ShopContext
}): ReactNode {
  const { t } = context
  const note = blocks.flatMap(({ lines }) => lines)
  const words = (
    <>
      <b>{title}</b>
      {note.map((line, index) => (
        <span key={index} className={styles.note}>
          {spansOf(line)}
        </span>
      ))}
    </>
  )
  if (!card)
    return (
      <li className={styles.item}>
        <div className={styles.words}>
          {words}
          <span className={styles.note}>{t('advice.not-available')}</span>
          {moreUrl && <a href={moreUrl}>{t('advice.all-of-kind')}</a>}
        </div>
      </li>
    )
  return (
    <li className={styles.item}>
      {/* Tools are often at hand already: materials are ticked, tools are for whoever lacks them. */}
      <label className={styles.tick}>
        <input type="checkbox" name={cartField('take')} value={card.offerId} defaultChecked={!isTool} />
        <span className="hidden">{t('advice.take', { title })}</span>
      </label>
      <img src={card.imageFullpath} width={96} height={96} alt="" loading="lazy" />
      <div className={styles.words}>
        {words}
        <a href={card.url} className={styles.article}>
          {card.title}
        </a>
        {moreUrl && (
          <a href={moreUrl} className={styles.more}>
            {t('advice.other', { title })}
          </a>
        )}
      </div>
      <div className={styles.amount}>
        <Price block={priceOfItself(card.prices)} words={priceWords(context)} size="s" saysTax offerId={card.offerId} />
        <Field
          name={cartField(`quantities.${card.offerId}`)}
          label={t('advice.quantity')}
          aria-label={t('advice.quantity-of', { title })}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={String(quantity)}
          id={`quantity-${id}`}
        />
      </div>
    </li>
  )
}

/** The list names one product: its price is no lowest one of several. */
const priceOfItself = (block: PriceFragment): PriceFragment => ({ ...block, main: { ...block.main, ranges: null } })
