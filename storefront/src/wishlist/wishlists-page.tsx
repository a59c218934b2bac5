import { Alert, Button, ButtonLink, EmptyState, Field, Icon } from '@purlin/ui'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import room from '../account/account.module.css'
import tiles from '../account/tiles.module.css'
import { ProductToSaveDocument, WishlistsDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { SaveToList } from './save-to-list.tsx'
import { SiteChoice } from './site-choice.tsx'
import { wishlistAction } from './wishlist-action.ts'
import { wishlistField as field } from './wishlist-form.ts'
import styles from './wishlist.module.css'

export async function load(context: ShopContext) {
  const { wishlists, sitesForLists: sites } = await context.client.query(WishlistsDocument)
  const product = sites.length > 0 ? await productToSave(context) : null
  return { data: { wishlists, sites, product }, title: context.t('wishlist.title'), robots: 'noindex' }
}

/** The product that a link after a heart names; null without one. */
async function productToSave({ client, query: { save } }: ShopContext) {
  if (typeof save !== 'string' || !/^[1-9]\d{0,17}$/.test(save)) return null
  const { product } = await client.query(ProductToSaveDocument, { id: save })
  return product?.status === 'ACTIVE' ? product : null
}

export const action = wishlistAction

/** The account's lists, and a form for a new one. */
export function Page({ data: { wishlists, sites, product }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const isNaming = typed?.get(field('do')) === 'create'
  return (
    <AccountFrame context={context} here="wishlists" title={t('wishlist.title')}>
      {refusal && !isNaming && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {product && <SaveToList product={product} lists={wishlists} quantity={typed?.get(field('quantity')) ?? '1'} context={context} />}
      {wishlists.length === 0 ? (
        <EmptyState icon="heart" title={t('wishlist.none')} actions={<ButtonLink href="/">{t('account.shop')}</ButtonLink>}>
          <p>{t('wishlist.none.text')}</p>
        </EmptyState>
      ) : (
        <ul className={`${tiles.tiles} ${styles.lists}`}>
          {wishlists.map(({ id, name, count, shareToken, site, pictures }) => (
            <li key={id}>
              <a className={tiles.tile} href={paths.wishlist({ id })}>
                {pictures.length === 0 ? (
                  <Icon name="heart" size={26} />
                ) : (
                  <span className={styles.pictures}>
                    {pictures.map((address) => (
                      <img key={address} src={address} alt="" width={64} height={64} loading="lazy" />
                    ))}
                  </span>
                )}
                <span>
                  <strong>{name ?? t('wishlist.first')}</strong>
                  <span className={room.quiet}>{t('wishlist.items', { count })}</span>
                  {site && <span className={room.quiet}>{t('wishlist.of-site', { site: site.name })}</span>}
                  {shareToken !== null && <span className={room.quiet}>{t('wishlist.shared')}</span>}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <form method="post" className={`${room.card} ${room.form}`}>
        <h2>{t('wishlist.create')}</h2>
        <Field
          id="name"
          name={field('name')}
          label={t('wishlist.name')}
          maxLength={60}
          required
          autoComplete="off"
          defaultValue={isNaming ? typed?.get(field('name')) : ''}
          error={isNaming && refusal?.reason !== 'unknown-site' ? (refusal?.fields[0]?.message ?? refusal?.message) : undefined}
        />
        <SiteChoice
          sites={sites}
          chosen={isNaming ? typed?.get(field('siteId')) : ''}
          error={isNaming && refusal?.reason === 'unknown-site' ? refusal.message : undefined}
          context={context}
        />
        <p>
          <Button name={field('do')} value="create" look="secondary">
            {t('wishlist.create')}
          </Button>
        </p>
      </form>
    </AccountFrame>
  )
}
