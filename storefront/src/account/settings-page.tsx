import { Alert, Button, Check, ErrorSummary, Field } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import { Island } from '@purlin/web/island.tsx'
import { mobilePhoneOf } from '@purlin/contract/addresses.ts'
import { signInAgainPath } from '@purlin/contract/identity.ts'
import { hasFiscalNumbers } from '@purlin/contract/fiscal-numbers.ts'
import { fieldsOf, formAction, namesOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import {
  ChangeOptInsDocument,
  ChangeProfileDocument,
  ConfirmPhoneDocument,
  EraseMyAccountDocument,
  RequestMyDataDocument,
  SendAnotherPhoneCodeDocument,
  SettingsDocument,
  type CustomerProfileFragment,
  type RefusalFragment,
  type SettingsQuery,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { providerAccountHref } from '../sign-in/callback.ts'
import { PushTopics } from '../push/push-topics.island.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { AccountFrame } from './account-frame.tsx'
import { CredentialsPart } from './credentials-part.tsx'
import styles from './account.module.css'
import { DataPart, ErasePart, type ErasureRefusal } from './privacy-parts.tsx'
import { anotherCodeForm, offersForm, phoneCodeForm, profileForm, settingsForm } from './settings-form.ts'

export async function load(context: ShopContext) {
  const { customerProfile: profile, myDataExport: file } = await context.client.query(SettingsDocument)
  if (!profile) return notFound()
  return { data: { profile, file }, title: context.t('settings.title'), robots: 'noindex' }
}

export const action = formAction(settingsForm, async ({ client }: ShopContext, input) => {
  if (input.do === 'profile') {
    const { do: _, ...profile } = input
    const refusal = (await client.mutate(ChangeProfileDocument, { input: profile }))?.result.refusal
    return refusal ? refuse(refusal) : redirect(303, paths.myAccount(), { severity: 'success', key: 'flash.profile-saved' })
  }
  if (input.do === 'data') {
    await client.mutate(RequestMyDataDocument)
    return redirect(303, `${paths.myAccount()}#data`, { severity: 'success', key: 'flash.data-requested' })
  }
  if (input.do === 'erase') {
    const { refusal, waitsFor, company } = (await client.mutate(EraseMyAccountDocument, { email: input.email }))?.result ?? {}
    // Afterwards the form is open again.
    if (refusal?.reason === 'sign-in-again') return redirect(303, signInAgainPath(`${paths.myAccount()}?close=1#erase`))
    return refusal
      ? refuse({ ...refusal, waitsFor, company } satisfies ErasureRefusal)
      : redirect(303, '/', { severity: 'success', key: 'flash.account-erased' })
  }
  if (input.do === 'phone-code') {
    const refusal = (await client.mutate(ConfirmPhoneDocument, { code: input.code }))?.result.refusal
    return refusal ? refuse(refusal) : redirect(303, paths.myAccount(), { severity: 'success', key: 'flash.phone-confirmed' })
  }
  if (input.do === 'another-code') {
    const refusal = (await client.mutate(SendAnotherPhoneCodeDocument))?.result.refusal
    return refusal ? refuse(refusal) : redirect(303, `${paths.myAccount()}#code`, { severity: 'info', key: 'flash.code-sent' })
  }
  const optIns = { email: input.email !== null, sms: input.sms !== null, phone: input.smsPhone }
  const result = (await client.mutate(ChangeOptInsDocument, { input: optIns }))?.result
  const refusal = result?.refusal ?? result?.codeRefusal
  if (refusal) return refuse(refusal)
  if (result?.profile?.phoneToConfirm) return redirect(303, `${paths.myAccount()}#code`, { severity: 'info', key: 'flash.code-sent' })
  return redirect(303, paths.myAccount(), { severity: 'success', key: 'flash.offers-saved' })
})

interface Parts {
  profile: NonNullable<SettingsQuery['customerProfile']>
  context: ShopContext
  /** The errors of this form, if it was refused. */
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

/** Profile details and marketing opt-ins. */
export function Page({ data: { profile, file }, context, refusal, typed }: PageProps<typeof load, ErasureRefusal>): ReactNode {
  const { t } = context
  const sent = typed?.get('do')
  const of = (...forms: string[]) => (forms.includes(String(sent)) ? { refusal, typed } : { refusal: undefined, typed: undefined })
  return (
    <AccountFrame context={context} here="myAccount" title={t('settings.title')}>
      <Enhance with="settings" when="interact">
        <span
          hidden
          data-profile={t('flash.profile-saved')}
          data-offers={t('flash.offers-saved')}
          data-credentials={t('flash.password-changed')}
          data-failed={t('settings.failed')}
        />
        <About profile={profile} context={context} {...of('profile')} />
        <Offers profile={profile} context={context} {...of('offers')} />
        <PhoneCode phone={profile.phoneToConfirm} context={context} {...of('phone-code', 'another-code')} />
        <CredentialsPart email={profile.email} context={context} />
      </Enhance>
      <Island
        with="push-topics"
        of={PushTopics}
        when="visible"
        props={{ privacyHref: paths.privacyChoices(), className: `${styles.card} ${styles.form} needs-js` }}
        words={[
          'push.topics.title',
          'push.topics.text',
          'push.topics.orders',
          'push.topics.prices',
          'push.topics.baskets',
          'push.topics.offers',
          'push.topics.saved',
          'push.topics.failed',
          'push.topics.unsupported',
          'push.topics.consent',
          'settings.save',
        ]}
        context={context}
      />
      <DataPart file={file} context={context} />
      <ErasePart context={context} {...of('erase')} />
    </AccountFrame>
  )
}

const providerPages = { email: 'settings.email.change', overview: 'settings.security' } as const
const profileName = namesOf(profileForm)

function About({ profile, context, refusal, typed }: Parts): ReactNode {
  const { t, country } = context
  const known = (name: string) => String(profile[name as keyof CustomerProfileFragment] ?? '')
  const field = fieldsOf(profileForm, { typed, refusal, known })
  const fields = ['firstName', 'lastName', 'phone', 'fiscalNumber'] as const
  const errors = fields.flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: t(`settings.${name}`), message: error }) }] : []
  })
  return (
    <form method="post" className={`${styles.card} ${styles.form}`} autoComplete="on">
      <h2>{t('settings.profile')}</h2>
      <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
      <input type="hidden" name={profileName('do')} value="profile" />
      <dl className={styles.facts}>
        <dt>{t('settings.email')}</dt>
        <dd>
          <strong>{profile.email}</strong>
        </dd>
      </dl>
      <p className={styles.quiet}>{t('settings.email.hint')}</p>
      <ul className={styles.links}>
        {(['email', 'overview'] as const).map((page) => (
          <li key={page}>
            <a href={providerAccountHref(page)}>{t(providerPages[page])}</a>
          </li>
        ))}
      </ul>
      <div className={styles.pair}>
        <Field {...field('firstName')} label={t('settings.firstName')} autoComplete="given-name" />
        <Field {...field('lastName')} label={t('settings.lastName')} autoComplete="family-name" />
      </div>
      <Field {...field('phone')} label={t('settings.phone')} type="tel" inputMode="tel" autoComplete="tel" />
      {hasFiscalNumbers(country) && <Field {...field('fiscalNumber')} label={t('settings.fiscalNumber')} autoComplete="off" />}
      <p>
        <Button>{t('settings.save')}</Button>
      </p>
    </form>
  )
}

const offersName = namesOf(offersForm)

function Offers({ profile, context: { t, country }, refusal, typed }: Parts): ReactNode {
  const { phoneToConfirm, receiveOffersPhoneNumber, unconfirmedPhone, isSmsOffered } = profile
  const phone = phoneToConfirm ?? receiveOffersPhoneNumber ?? unconfirmedPhone
  // A consent can be withdrawn also while the shop sends no text messages, and a form sent from before says why it is refused.
  const hasSms = isSmsOffered || phone !== null || refusal !== undefined
  const canConfirm = isSmsOffered && !phoneToConfirm && unconfirmedPhone && mobilePhoneOf(country, unconfirmedPhone) !== null
  const field = fieldsOf(offersForm, { typed, refusal, known: (name) => (name === 'smsPhone' ? (phone ?? '') : '') })
  const isTicked = (name: 'email' | 'sms') => (typed ? typed.get(name) !== '' : name === 'email' ? profile.receiveOffers : phone !== null)
  return (
    <form method="post" className={`${styles.card} ${styles.form}`}>
      <h2>{t('settings.offers')}</h2>
      <p className={styles.quiet}>{t('settings.offers.text')}</p>
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      <input type="hidden" name={offersName('do')} value="offers" />
      <Check name={offersName('email')} label={t('settings.offers.email')} defaultChecked={isTicked('email')} />
      {hasSms && <Check name={offersName('sms')} label={t('settings.offers.sms')} defaultChecked={isTicked('sms')} />}
      {canConfirm && <p>{t('settings.offers.unconfirmed', { phone: unconfirmedPhone })}</p>}
      {hasSms && <Field {...field('smsPhone')} label={t('settings.offers.phone')} type="tel" inputMode="tel" autoComplete="tel" />}
      <p>
        <Button>{t('settings.save')}</Button>
      </p>
    </form>
  )
}

const phoneCodeName = namesOf(phoneCodeForm)
const anotherCodeName = namesOf(anotherCodeForm)

/** The code that was sent to the number for text messages; null: none waits, or none does any more. */
function PhoneCode({ phone, context: { t }, refusal, typed }: Omit<Parts, 'profile'> & { phone: string | null }): ReactNode {
  if (phone === null)
    return (
      refusal && (
        <Alert severity="danger" announces takesFocus>
          {t('settings.offers.code.lapsed')}
        </Alert>
      )
    )
  const field = fieldsOf(phoneCodeForm, { typed, refusal })
  return (
    <div className={styles.card}>
      <form method="post" className={styles.form}>
        <FormRefusal refusal={refusal} />
        <p>{t('settings.offers.code.text', { phone })}</p>
        <input type="hidden" name={phoneCodeName('do')} value="phone-code" />
        <Field {...field('code')} label={t('settings.offers.code')} inputMode="numeric" autoComplete="one-time-code" />
        <p>
          <Button>{t('settings.offers.code.confirm')}</Button>
        </p>
      </form>
      <form method="post" className={styles.form}>
        <input type="hidden" name={anotherCodeName('do')} value="another-code" />
        <p>
          <Button look="secondary">{t('settings.offers.code.another')}</Button>
        </p>
      </form>
    </div>
  )
}
