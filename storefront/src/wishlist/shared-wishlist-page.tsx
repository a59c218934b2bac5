import { ButtonLink, Container, EmptyState } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import room from '../account/account.module.css'
import { SharedWishlistDocument } from '../generated/documents.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { WishedItems } from './wished-items.tsx'
import { pageOf, Pages } from './wishlist-page.tsx'

export async function load(context: ShopContext) {
  const asked = { token: context.params['token'] ?? '', page: pageOf(context) }
  const { sharedWishlist: wishlist } = await context.client.query(SharedWishlistDocument, asked)
  if (!wishlist) return notFound()
  return { data: { wishlist }, title: wishlist.name ?? context.t('wishlist.first'), robots: 'noindex' }
}

/** A shared list, for holders of its link. */
export function Page({ data: { wishlist }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={room.alone}>
        <h1>{wishlist.name ?? t('wishlist.first')}</h1>
        <p className={room.quiet}>{t('wishlist.items', { count: wishlist.count })}</p>
        {wishlist.items.length === 0 ? (
          <EmptyState icon="heart" title={t('wishlist.none.shared')} actions={<ButtonLink href="/">{t('account.shop')}</ButtonLink>} />
        ) : (
          <WishedItems items={wishlist.items} listId={null} context={context} />
        )}
        <Pages wishlist={wishlist} context={context} />
      </div>
    </Container>
  )
}
