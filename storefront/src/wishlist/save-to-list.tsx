import { Button, Field, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import room from '../account/account.module.css'
import type { WishlistFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { wishlistField as field } from './wishlist-form.ts'

interface Props {
  product: { id: string; title: string }
  lists: readonly WishlistFragment[]
  quantity: string
  context: ShopContext
}

/** Puts a product on a list of one of the company's building sites, with the quantity it needs. */
export function SaveToList({ product, lists, quantity, context: { t } }: Props): ReactNode {
  const ofSites = lists.flatMap(({ id, name, site }) =>
    site ? [{ value: id, label: t('wishlist.name-of-site', { name: name ?? t('wishlist.first'), site: site.name }) }] : [],
  )
  return (
    <section className={`${room.card} ${room.form}`} aria-labelledby="save">
      <h2 id="save">{t('wishlist.save')}</h2>
      <p>{product.title}</p>
      {ofSites.length === 0 ? (
        <p className={room.quiet}>{t('wishlist.save.none')}</p>
      ) : (
        <form method="post" className={room.form}>
          <input type="hidden" name={field('productId')} value={product.id} />
          <Select id="list" name={field('id')} label={t('wishlist.save.list')} options={ofSites} />
          <Field
            id="quantity"
            name={field('quantity')}
            label={t('wishlist.quantity')}
            type="number"
            inputMode="numeric"
            min={1}
            max={9999}
            required
            defaultValue={quantity}
            autoComplete="off"
          />
          <p>
            <Button name={field('do')} value="save">
              {t('wishlist.quantity.save')}
            </Button>
          </p>
        </form>
      )}
    </section>
  )
}
