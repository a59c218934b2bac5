import { Alert, Button, ButtonLink, EmptyState } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import type * as v from 'valibot'
import { AddressBlock } from '../checkout/address-block.tsx'
import {
  BuyerDocument,
  DropAddressDocument,
  KeepAddressDocument,
  type KeepAddressMutationVariables,
  MyAddressesDocument,
  PreferAddressDocument,
  type RefusalFragment,
  type SavedAddressFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './account.module.css'
import { AddressForm } from './address-form.tsx'
import { addressesField as field, addressesForm, type keptAddressForm } from './addresses-form.ts'

export async function load(context: ShopContext) {
  const { myAddresses: addresses } = await context.client.query(MyAddressesDocument)
  const { add, edit } = context.query
  const edited = typeof edit === 'string' ? addresses.find(({ id }) => id === edit) : undefined
  if (edit !== undefined && !edited) return notFound()
  const shown = edited ? 'edit' : add === undefined ? 'list' : 'add'
  const profile = shown === 'list' ? null : (await context.client.query(BuyerDocument)).customerProfile
  const title = context.t(shown === 'list' ? 'account.addresses' : `account.addresses.${shown}`)
  return { data: { addresses, edited: edited ?? null, profile, shown }, title, robots: 'noindex' }
}

export const action = formAction(addressesForm, async (context: ShopContext, input) => {
  const { client } = context
  const answer =
    input.do === 'keep'
      ? await client.mutate(KeepAddressDocument, keptInput(input))
      : input.do === 'prefer'
        ? await client.mutate(PreferAddressDocument, { id: input.id, use: input.use })
        : await client.mutate(DropAddressDocument, { id: input.id })
  const refusal = answer?.result.refusal
  if (refusal) return refuse(refusal)
  return redirect(303, paths.addressSettings(), { severity: 'success', key: told[input.do] })
})

const told = { keep: 'flash.address-kept', prefer: 'flash.address-preferred', drop: 'flash.address-dropped' } as const

function keptInput({ id, do: _, delivery, billing, ...address }: v.InferOutput<typeof keptAddressForm>): KeepAddressMutationVariables {
  const defaults = [...(delivery ? ['delivery' as const] : []), ...(billing ? ['billing' as const] : [])]
  return { id, input: { ...address, defaults } }
}

/** The account's address list, or the form for one address. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { addresses, edited, profile, shown } = data
  // A refused form is shown again, whichever page sent it.
  const isForm = shown !== 'list' || typed?.get(field('do')) === 'keep'
  if (isForm) {
    return (
      <AccountFrame context={context} here="addressSettings" title={t(edited ? 'account.addresses.edit' : 'account.addresses.add')}>
        <AddressForm
          address={edited}
          profile={profile}
          isFirst={addresses.length === 0}
          context={context}
          refusal={refusal}
          typed={typed}
        />
      </AccountFrame>
    )
  }
  const add = paths.addressSettings({}, { add: 1 })
  return (
    <AccountFrame
      context={context}
      here="addressSettings"
      title={t('account.addresses')}
      actions={
        addresses.length > 0 && (
          <ButtonLink href={add} icon="plus">
            {t('account.addresses.add')}
          </ButtonLink>
        )
      }
    >
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {addresses.length === 0 ? (
        <EmptyState
          icon="pin"
          title={t('account.addresses.none')}
          actions={
            <ButtonLink href={add} icon="plus">
              {t('account.addresses.add')}
            </ButtonLink>
          }
        >
          <p>{t('account.addresses.none.text')}</p>
        </EmptyState>
      ) : (
        <ul className={styles.cards}>
          {addresses.map((address) => (
            <AddressCard key={address.id} address={address} context={context} />
          ))}
        </ul>
      )}
    </AccountFrame>
  )
}

function AddressCard({ address, context: { t, locale } }: { address: SavedAddressFragment; context: ShopContext }): ReactNode {
  const { id, line1, isDeliveryDefault, isBillingDefault } = address
  return (
    <li className={styles.card}>
      {(isDeliveryDefault || isBillingDefault) && (
        <p className={styles.marks}>
          {isDeliveryDefault && <span className={`${styles.state} ${styles.runs}`}>{t('account.addresses.is-delivery')}</span>}
          {isBillingDefault && <span className={`${styles.state} ${styles.runs}`}>{t('account.addresses.is-billing')}</span>}
        </p>
      )}
      <AddressBlock address={address} locale={locale} />
      <p className={styles.quiet}>{address.phone}</p>
      <div className={styles.cardActions}>
        <ButtonLink
          look="secondary"
          size="s"
          href={paths.addressSettings({}, { edit: id })}
          aria-label={t('account.edit-of', { name: line1 })}
        >
          {t('account.edit')}
        </ButtonLink>
        <form method="post">
          <input type="hidden" name={field('id')} value={id} />
          <Button look="quiet" size="s" name={field('do')} value="drop" aria-label={t('account.delete-of', { name: line1 })}>
            {t('account.delete')}
          </Button>
        </form>
        {(['delivery', 'billing'] as const).map(
          (use) =>
            !(use === 'delivery' ? isDeliveryDefault : isBillingDefault) && (
              <form method="post" key={use}>
                <input type="hidden" name={field('id')} value={id} />
                <input type="hidden" name={field('use')} value={use} />
                <Button look="quiet" size="s" name={field('do')} value="prefer">
                  {t(`account.addresses.prefer-${use}`)}
                </Button>
              </form>
            ),
        )}
      </div>
    </li>
  )
}
