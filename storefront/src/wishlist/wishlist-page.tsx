import { Alert, Button, ButtonLink, Disclosure, EmptyState, Field, Pagination } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import room from '../account/account.module.css'
import { ConfirmFirst } from '../account/confirm-first.tsx'
import { WishlistDocument, type RefusalFragment, type WishlistPageFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { WishedItems } from './wished-items.tsx'
import { wishlistAction } from './wishlist-action.ts'
import { wishlistField as field } from './wishlist-form.ts'
import styles from './wishlist.module.css'

export async function load(context: ShopContext) {
  const { wishlist } = await context.client.query(WishlistDocument, { id: context.params['id'] ?? '', page: pageOf(context) })
  if (!wishlist || (wishlist.page > 1 && wishlist.items.length === 0)) return notFound()
  return { data: { wishlist }, title: wishlist.name ?? context.t('wishlist.first'), robots: 'noindex' }
}

/** The page number from `?page=2`. */
export function pageOf({ query }: Pick<ShopContext, 'query'>): number {
  const { page } = query
  return typeof page === 'string' && /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1
}

export const action = wishlistAction

/** One list: its products, and the actions on the list itself. */
export function Page({ data: { wishlist }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const isNaming = typed?.get(field('do')) === 'rename'
  return (
    <AccountFrame
      context={context}
      here="wishlists"
      title={wishlist.name ?? t('wishlist.first')}
      back={{ to: paths.wishlists(), label: t('wishlist.all') }}
    >
      {refusal && !isNaming && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {wishlist.items.length === 0 ? (
        <EmptyState icon="heart" title={t('wishlist.none')} actions={<ButtonLink href="/">{t('account.shop')}</ButtonLink>}>
          <p>{t('wishlist.none.text')}</p>
        </EmptyState>
      ) : (
        <WishedItems items={wishlist.items} listId={wishlist.id} context={context} />
      )}
      {context.mode === 'b2b' && wishlist.count > 0 && (
        <p>
          <ButtonLink href={`${paths.quickOrder()}?list=${encodeURIComponent(wishlist.id)}`} look="secondary">
            {t('quick-order.list')}
          </ButtonLink>
        </p>
      )}
      <Pages wishlist={wishlist} context={context} />
      <Notices wishlist={wishlist} context={context} />
      <Settings
        wishlist={wishlist}
        context={context}
        isOpen={refusal !== undefined}
        renaming={isNaming && refusal ? { typed: typed.get(field('name')), error: refusal.fields[0]?.message ?? refusal.message } : null}
      />
    </AccountFrame>
  )
}

/** Pagination of a list. */
export function Pages({
  wishlist: { page, pages },
  context: { t, pathname },
}: {
  wishlist: WishlistPageFragment
  context: ShopContext
}): ReactNode {
  return (
    <Pagination
      page={page}
      pages={pages}
      hrefOf={(to) => (to === 1 ? pathname : `${pathname}?page=${to}`)}
      words={{
        label: t('listing.pages'),
        previous: t('listing.previous'),
        next: t('listing.next'),
        page: (number) => t('listing.page', { page: number }),
      }}
    />
  )
}

/** Mails about lower prices and returned stock, at the owner's request. */
function Notices({ wishlist: { id, hasNotices }, context: { t } }: { wishlist: WishlistPageFragment; context: ShopContext }): ReactNode {
  return (
    <form method="post" className={styles.notices}>
      <input type="hidden" name={field('id')} value={id} />
      <p>{t(hasNotices ? 'wishlist-notice.on' : 'wishlist-notice.off')}</p>
      <Button name={field('do')} value={hasNotices ? 'silence' : 'notify'} look="secondary" size="s">
        {t(hasNotices ? 'wishlist-notice.silence' : 'wishlist-notice.notify')}
      </Button>
    </form>
  )
}

function Settings({
  wishlist,
  context: { t, origin },
  isOpen,
  renaming,
}: {
  wishlist: WishlistPageFragment
  context: ShopContext
  isOpen: boolean
  /** A refused new name. */
  renaming: { typed: string; error: string } | null
}): ReactNode {
  const { id, name, shareToken } = wishlist
  const hidden = <input type="hidden" name={field('id')} value={id} />
  return (
    <Disclosure title={t('wishlist.settings')} open={isOpen || shareToken !== null}>
      <div className={styles.settings}>
        <form method="post">
          {hidden}
          <Field
            id="name"
            name={field('name')}
            label={t('wishlist.name')}
            maxLength={60}
            required
            autoComplete="off"
            defaultValue={renaming?.typed ?? name ?? ''}
            error={renaming?.error}
          />
          <Button name={field('do')} value="rename" look="secondary">
            {t('wishlist.rename')}
          </Button>
        </form>
        <form method="post">
          {hidden}
          {shareToken === null ? (
            <p className={room.quiet}>{t('wishlist.share.text')}</p>
          ) : (
            <p>
              {t('wishlist.share.link')}
              <br />
              <a id="link" href={paths.sharedWishlist({ token: shareToken })}>
                {origin + paths.sharedWishlist({ token: shareToken })}
              </a>
              <br />
              <span className={room.quiet}>{t('wishlist.share.text')}</span>
            </p>
          )}
          <Button name={field('do')} value={shareToken === null ? 'share' : 'unshare'} look="secondary">
            {t(shareToken === null ? 'wishlist.share' : 'wishlist.share.stop')}
          </Button>
        </form>
        <ConfirmFirst label={t('wishlist.delete')} text={t('wishlist.delete.sure')}>
          <form method="post">
            {hidden}
            <Button name={field('do')} value="delete" look="danger" icon="trash">
              {t('wishlist.delete.do')}
            </Button>
          </form>
        </ConfirmFirst>
      </div>
    </Disclosure>
  )
}
