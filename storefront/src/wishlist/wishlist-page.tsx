import { maxCellLength } from '@purlin/contract/order-limits.ts'
import { Alert, Button, ButtonLink, Disclosure, EmptyState, Field, Pagination, Select } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import room from '../account/account.module.css'
import { ConfirmFirst } from '../account/confirm-first.tsx'
import { WishlistAndPlacesDocument, type RefusalFragment, type WishlistPageFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { WishedItems } from './wished-items.tsx'
import { SiteChoice } from './site-choice.tsx'
import { wishlistAction } from './wishlist-action.ts'
import { wishlistField as field } from './wishlist-form.ts'
import styles from './wishlist.module.css'

export async function load(context: ShopContext) {
  const asked = { id: context.params['id'] ?? '', page: pageOf(context) }
  const { wishlist, wishlists, sitesForLists: sites } = await context.client.query(WishlistAndPlacesDocument, asked)
  if (!wishlist || (wishlist.page > 1 && wishlist.items.length === 0)) return notFound()
  const others = wishlists.filter(({ id }) => id !== wishlist.id)
  return { data: { wishlist, others, sites }, title: wishlist.name ?? context.t('wishlist.first'), robots: 'noindex' }
}

/** The page number from `?page=2`. */
export function pageOf({ query }: Pick<ShopContext, 'query'>): number {
  const { page } = query
  return typeof page === 'string' && /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1
}

export const action = wishlistAction

/** One list: its products, and the actions on the list itself. */
export function Page({ data: { wishlist, others, sites }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t, mode } = context
  const sent = refusal && typed?.get(field('do'))
  const [isNaming, isAdding] = [sent === 'rename', sent === 'add-code']
  const error = refusal?.fields[0]?.message ?? refusal?.message ?? ''
  return (
    <AccountFrame
      context={context}
      here="wishlists"
      title={wishlist.name ?? t('wishlist.first')}
      back={{ to: paths.wishlists(), label: t('wishlist.all') }}
    >
      {wishlist.site && <p className={room.quiet}>{t('wishlist.of-site.text', { site: wishlist.site.name })}</p>}
      {refusal && !isNaming && !isAdding && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {mode === 'b2b' && (
        <AddByNumber id={wishlist.id} refused={isAdding ? { typed: typed?.get(field('code')) ?? '', error } : null} context={context} />
      )}
      {wishlist.items.length === 0 ? (
        <Nothing isSites={wishlist.site !== null} context={context} />
      ) : (
        <WishedItems
          items={wishlist.items}
          listId={wishlist.id}
          hasQuantities={mode === 'b2b'}
          isShared={wishlist.site !== null}
          context={context}
        />
      )}
      {wishlist.count > 0 && <BuyAll wishlist={wishlist} context={context} />}
      <Pages wishlist={wishlist} context={context} />
      {wishlist.site === null && <Notices wishlist={wishlist} context={context} />}
      {wishlist.count > 0 && others.length > 0 && <CopyForm wishlist={wishlist} others={others} context={context} />}
      <Settings
        wishlist={wishlist}
        sites={sites}
        context={context}
        isOpen={refusal !== undefined && !isAdding}
        renaming={isNaming ? { typed: typed?.get(field('name')) ?? '', error } : null}
      />
    </AccountFrame>
  )
}

/** An empty list; that of a building site is filled by number, from the quick order or from another list. */
function Nothing({ isSites, context: { t } }: { isSites: boolean; context: ShopContext }): ReactNode {
  if (isSites)
    return (
      <EmptyState icon="box" title={t('wishlist.none.shared')}>
        <p>{t('wishlist.none.site-text')}</p>
      </EmptyState>
    )
  return (
    <EmptyState icon="heart" title={t('wishlist.none')} actions={<ButtonLink href="/">{t('account.shop')}</ButtonLink>}>
      <p>{t('wishlist.none.text')}</p>
    </EmptyState>
  )
}

interface AddByNumberProps {
  id: string
  refused: { typed: string; error: string } | null
  context: ShopContext
}

/** A product by the number on its label, for those who know it; hearts fill one's own list alone. */
function AddByNumber({ id, refused, context: { t } }: AddByNumberProps): ReactNode {
  return (
    <form method="post" className={styles.copy}>
      <input type="hidden" name={field('id')} value={id} />
      <Field
        id="code"
        name={field('code')}
        label={t('wishlist.add-code')}
        maxLength={maxCellLength}
        required
        autoComplete="off"
        spellCheck={false}
        defaultValue={refused?.typed}
        error={refused?.error}
      />
      <Button name={field('do')} value="add-code" look="secondary">
        {t('wishlist.add-code.do')}
      </Button>
    </form>
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

/** The whole list into the basket or, for professionals, into the quick order, where quantities are typed. */
function BuyAll({ wishlist: { id }, context: { t, mode } }: { wishlist: WishlistPageFragment; context: ShopContext }): ReactNode {
  return (
    <form method="post" className={styles.buyAll}>
      <input type="hidden" name={field('id')} value={id} />
      <Button name={field('do')} value="all-to-cart" icon="cart">
        {t('wishlist.all-to-cart')}
      </Button>
      {mode === 'b2b' && (
        <ButtonLink href={`${paths.quickOrder()}?list=${encodeURIComponent(id)}`} look="secondary">
          {t('quick-order.list')}
        </ButtonLink>
      )}
    </form>
  )
}

interface OtherList {
  id: string
  name: string | null
  site: { name: string } | null
}

function CopyForm({
  wishlist: { id },
  others,
  context: { t },
}: {
  wishlist: WishlistPageFragment
  others: readonly OtherList[]
  context: ShopContext
}): ReactNode {
  const labelOf = ({ name, site }: OtherList) =>
    site ? t('wishlist.name-of-site', { name: name ?? t('wishlist.first'), site: site.name }) : (name ?? t('wishlist.first'))
  return (
    <form method="post" className={styles.copy}>
      <input type="hidden" name={field('id')} value={id} />
      <Select
        id="into"
        name={field('intoId')}
        label={t('wishlist.copy')}
        defaultValue={others[0]?.id}
        options={others.map((list) => ({ value: list.id, label: labelOf(list) }))}
      />
      <Button name={field('do')} value="copy" look="secondary">
        {t('wishlist.copy.do')}
      </Button>
    </form>
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
  sites,
  context,
  isOpen,
  renaming,
}: {
  wishlist: WishlistPageFragment
  sites: readonly { id: string; name: string }[]
  context: ShopContext
  isOpen: boolean
  /** A refused new name. */
  renaming: { typed: string; error: string } | null
}): ReactNode {
  const { t, origin } = context
  const { id, name, shareToken, site, canManage } = wishlist
  const hidden = <input type="hidden" name={field('id')} value={id} />
  return (
    <Disclosure title={t(canManage ? 'wishlist.settings' : 'wishlist.rename')} open={isOpen || shareToken !== null}>
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
        {canManage && (sites.length > 0 || site) && (
          <form method="post">
            {hidden}
            <SiteChoice
              sites={site && !sites.some((each) => each.id === site.id) ? [site, ...sites] : sites}
              chosen={site?.id}
              context={context}
            />
            <Button name={field('do')} value="place" look="secondary">
              {t('wishlist.place')}
            </Button>
          </form>
        )}
        {canManage && (
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
        )}
        {canManage && (
          <ConfirmFirst label={t('wishlist.delete')} text={t('wishlist.delete.sure')}>
            <form method="post">
              {hidden}
              <Button name={field('do')} value="delete" look="danger" icon="trash">
                {t('wishlist.delete.do')}
              </Button>
            </form>
          </ConfirmFirst>
        )}
      </div>
    </Disclosure>
  )
}
