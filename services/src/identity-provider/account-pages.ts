import { freshSignInSeconds } from '@purlin/contract/identity.ts'
import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { dateFormat } from '@purlin/words/date-format.ts'
import { type AccountVisit, accountForm, addressOf, askedForm, checkPassword } from './account-visit.ts'
import { findAccount, writePassword } from './accounts.ts'
import { accountClientId, isSecure, sessionCookie } from './context.ts'
import { devicesOf, deviceName } from './devices.ts'
import { cancelChange, changeEmail, pendingBlocks } from './email-change.ts'
import { newPasswordField, passwordProblem, wordsOfPerson } from './fields.ts'
import { redirect } from './http.ts'
import { keepSecond, removalBlocks } from './keep-second-step.ts'
import { notifyOwner } from './notify-owner.ts'
import type { Block, FieldModel } from './pages/model.ts'
import { hashPassword } from './password.ts'
import { endChange } from './pending-change.ts'
import { creationOptions, keepPasskey, passkeysOf, removePasskey } from './passkeys.ts'
import { shopOrigins } from './provider.ts'
import { codeField } from './second-step.ts'
import { enrollmentOf, hasSecondFactor, newRecoveryCodes, newTotpSecret, stepOf, turnOffTotp, turnOnTotp } from './second-factor.ts'
import { endSession, endSessionsOf } from './sessions.ts'
import { type PageRequest, type Visit, laterOf, ownForm, show, showError, showSignedOut, visitOf } from './visit.ts'
import type { Word } from './words.ts'

const done: Partial<Record<string, Word>> = {
  password: 'identity.done.password',
  second: 'identity.done.second',
  'second-off': 'identity.done.second-off',
  'second-kept': 'identity.done.second-kept',
  passkey: 'identity.done.passkey',
  'passkey-failed': 'identity.account.passkey-failed',
  removed: 'identity.done.removed',
  device: 'identity.done.device',
  'email-cancelled': 'identity.done.email-cancelled',
}

type Step = (visit: AccountVisit, form: URLSearchParams | undefined) => Promise<void>
const steps: Record<string, Step> = {
  '': overview,
  password: changePassword,
  email: changeEmail,
  'email/cancel': cancelChange,
  'second-step': setUpSecond,
  'second-step/remove': removeSecond,
  'second-step/keep': keepSecond,
  'second-step/codes': renewCodes,
  passkey: addPasskey,
  'passkey/remove': dropPasskey,
  devices: signOutDevice,
}

/** A person's account pages: password, second factor, passkeys, devices. */
export async function accountPages(asked: PageRequest, step: string, query: URLSearchParams): Promise<void> {
  const { context, server, request, response, path } = asked
  const provider = server.provider()
  const session = await provider.Session.get(provider.createContext(request, response))
  // After a sign-in the state says where to go: the shop, and the page that was asked for.
  const [shop = null, wanted = ''] = (query.get('shop') ?? query.get('state') ?? '').split(' ')
  const visit = visitOf(asked, { uiLocales: query.get('ui_locales'), shop })
  const handle = Object.hasOwn(steps, step) ? steps[step] : undefined
  if (!handle) return showError(visit, 404)
  const account = session.accountId ? await findAccount(context.pool.db, server.realm, session.accountId) : undefined
  const isFresh = session.authTime() !== undefined && Date.now() / 1000 - (session.authTime() ?? 0) < freshSignInSeconds
  if (!account || !isFresh) return redirect(response, signInAddress(visit, shop, step))
  const home = `${visit.base}/account`
  if (step === '' && (wanted === 'email' || wanted === 'password'))
    return redirect(response, addressOf({ ...visit, account, uid: session.uid, home }, wanted))
  const suffix = visit.site ? `?shop=${encodeURIComponent(visit.site.origin)}` : ''
  const form = await ownForm({ ...asked, path: `${path}${suffix}` })
  const known: AccountVisit = { ...visit, account, uid: session.uid, home }
  const again = (refused: Visit['refused']) => {
    const shown = ['email', 'password', 'second-step', 'second-step/remove'].includes(step) ? handle : overview
    return shown({ ...known, refused }, undefined)
  }
  if (request.method === 'POST' && !form) return again({ status: 403, text: visit.t('identity.form.old') })
  try {
    await handle(known, form)
  } catch (error) {
    await again(laterOf(visit, error))
  }
}

/** The provider signs in to its own pages as it does to the shop, but without a code to return. */
function signInAddress({ context, base }: Visit, shop: string | null, step: string): string {
  const params = new URLSearchParams({
    client_id: accountClientId,
    response_type: 'none',
    scope: 'openid',
    redirect_uri: `${context.url}${base}/account`,
    max_age: String(freshSignInSeconds),
    ...(shop && shopOrigins(context.hosts).includes(shop) && { state: `${shop} ${step}`.trim() }),
  })
  return `${base}/protocol/openid-connect/auth?${params}`
}

async function overview(visit: AccountVisit): Promise<void> {
  const { context, account, uid, t, language, site, request } = visit
  const { db } = context.pool
  const [hasSecond, passkeys, devices, pending, removal] = await Promise.all([
    hasSecondFactor(db, account),
    passkeysOf(db, account),
    devicesOf(db, account),
    pendingBlocks(visit),
    removalBlocks(visit),
  ])
  const dates = dateFormat(site?.locale ?? language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: site?.timeZone ?? 'UTC',
  })
  const said = done[new URL(request.url ?? '/', context.url).searchParams.get('done') ?? '']
  const small = { look: 'secondary' } as const
  const blocks: Block[] = [
    ...pending,
    ...removal,
    {
      kind: 'links',
      links: [
        { href: addressOf(visit, 'email'), label: t('identity.account.email') },
        { href: addressOf(visit, 'password'), label: t('identity.account.password') },
      ],
    },
    { kind: 'heading', text: t('identity.account.second') },
    { kind: 'text', text: t(hasSecond ? 'identity.account.second-on' : 'identity.account.second-off') },
    ...(hasSecond
      ? [
          { kind: 'form' as const, form: accountForm(visit, 'second-step/codes', [], 'identity.account.new-codes', small) },
          ...(account.realm === 'staff'
            ? []
            : [
                {
                  kind: 'links' as const,
                  links: [{ href: addressOf(visit, 'second-step/remove'), label: t('identity.remove-second.title') }],
                },
              ]),
        ]
      : [{ kind: 'links' as const, links: [{ href: addressOf(visit, 'second-step'), label: t('identity.account.second-set-up') }] }]),
    { kind: 'heading', text: t('identity.account.passkeys') },
    { kind: 'text', text: t('identity.account.passkeys-text') },
    {
      kind: 'rows',
      rows: passkeys.map(({ id, name, createdAt }) => ({
        title: name || t('identity.account.passkeys'),
        text: t('identity.account.created', { date: dates.format(createdAt) }),
        form: askedForm(visit, 'passkey/remove', { id }, name ? t('identity.account.remove-of', { name }) : t('identity.account.remove'), {
          label: t('identity.account.remove'),
          text: t('identity.account.remove-sure'),
        }),
      })),
    },
    {
      kind: 'passkey',
      id: 'create',
      label: t('identity.account.passkey-add'),
      options: await creationOptions(visit, account),
      action: addressOf(visit, 'passkey'),
      formKey: accountForm(visit, 'passkey', [], 'identity.account.passkey-add').formKey,
      failed: t('identity.account.passkey-failed'),
    },
    { kind: 'heading', text: t('identity.devices.title') },
    {
      kind: 'rows',
      rows: devices.map((device) => ({
        title: device.name || t('identity.devices.unknown'),
        text: t('identity.devices.since', { date: dates.format(device.at) }),
        ...(device.uid === uid && { badge: t('identity.devices.this') }),
        form: askedForm(
          visit,
          'devices',
          { device: device.uid },
          t('identity.devices.sign-out-of', { name: device.name || t('identity.devices.unknown') }),
          {
            label: t('identity.devices.sign-out'),
            text: t(device.uid === uid ? 'identity.devices.sign-out-here-sure' : 'identity.devices.sign-out-sure'),
          },
        ),
      })),
    },
    {
      kind: 'form',
      form: askedForm(visit, 'devices', { device: 'all' }, t('identity.devices.sign-out-all'), {
        label: t('identity.devices.sign-out-all'),
        text: t('identity.devices.sign-out-all-sure'),
      }),
    },
  ]
  show(visit, 200, {
    title: t('identity.account.title'),
    intro: t('identity.account.who', { email: account.email }),
    ...(said && {
      alert: { severity: said === 'identity.account.passkey-failed' ? ('danger' as const) : ('success' as const), text: t(said) },
    }),
    blocks,
  })
}

async function changePassword(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  const { context, account, uid, t, response, address } = visit
  const page = (status: number, problems: { old?: string | undefined; password?: Word | undefined } = {}) => {
    const old: FieldModel = {
      name: 'old_password',
      label: t('identity.field.old-password'),
      type: 'password',
      autoComplete: 'current-password',
      ...(problems.old && { error: problems.old }),
    }
    const fields = [...(account.password ? [old] : []), newPasswordField(visit, { problem: problems.password })]
    show(visit, status, {
      title: t('identity.account.password'),
      blocks: [
        { kind: 'form', form: accountForm(visit, 'password', fields, 'identity.reset.submit') },
        { kind: 'links', links: [{ href: addressOf(visit, ''), label: t('identity.account.title') }] },
      ],
    })
  }
  if (!sent) return page(200)
  const { isRight, waitSeconds } = await checkPassword(visit, sent.get('old_password') ?? '')
  if (waitSeconds !== undefined) {
    response.setHeader('retry-after', String(waitSeconds))
    return page(429, { old: t('identity.sign-in.wait', { minutes: Math.ceil(waitSeconds / 60) }) })
  }
  if (!isRight) return page(422, { old: t('identity.wrong.old-password') })
  const chosen = sent.get('password') ?? ''
  const problem = await passwordProblem(visit, chosen, wordsOfPerson(account))
  if (problem) return page(422, { password: problem })
  const password = await hashPassword(chosen, address)
  await asCommand(context.pool, async (unit) => {
    await endChange(unit.db, account)
    await writePassword(unit.db, account, password)
    await endSessionsOf(unit.db, context, account, uid)
    await notifyOwner(visit, unit.db, account, 'password')
  })
  redirect(response, addressOf(visit, '', { done: 'password' }))
}

/** The new secret is part of this browser's form: nothing is stored until a code proves it. */
async function setUpSecond(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  const { context, account, t } = visit
  if (await hasSecondFactor(context.pool.db, account)) return redirect(visit.response, addressOf(visit, ''))
  const typed = sent?.get('secret') ?? ''
  const secret = /^[A-Z2-7]{32}$/.test(typed) ? typed : newTotpSecret()
  const step = sent && stepOf(secret, sent.get('code') ?? '')
  if (!step) {
    const { grouped, svg } = enrollmentOf(secret, account.email)
    return show(visit, sent ? 422 : 200, {
      title: t('identity.enroll.title'),
      intro: t('identity.enroll.intro'),
      blocks: [
        { kind: 'secret', label: t('identity.enroll.key'), value: grouped, qr: { svg, label: t('identity.enroll.qr') } },
        {
          kind: 'form',
          form: accountForm(visit, 'second-step', [codeField(visit, sent && t('identity.wrong.code'))], 'identity.enroll.submit', {
            hidden: { secret },
          }),
        },
        { kind: 'links', links: [{ href: addressOf(visit, ''), label: t('identity.account.title') }] },
      ],
    })
  }
  const codes = await asCommand(context.pool, async ({ db }) => {
    await turnOnTotp(db, context.factorKey, account, { secret, step })
    await notifyOwner(visit, db, account, 'second-on')
    return newRecoveryCodes(db, account)
  })
  showCodes(visit, codes)
}

async function renewCodes(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  if (!sent || !(await hasSecondFactor(visit.context.pool.db, visit.account))) return redirect(visit.response, addressOf(visit, ''))
  showCodes(visit, await asCommand(visit.context.pool, ({ db }) => newRecoveryCodes(db, visit.account)))
}

function showCodes(visit: AccountVisit, codes: string[]): void {
  const { t } = visit
  show(visit, 200, {
    title: t('identity.codes.title'),
    intro: t('identity.codes.text'),
    blocks: [
      { kind: 'codes', codes },
      { kind: 'next', href: addressOf(visit, '', { done: 'second' }), label: t('identity.codes.submit') },
    ],
  })
}

/** The consequences first, then the form. */
async function removeSecond(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  const { context, account, response, t } = visit
  if (account.realm === 'staff' || !(await hasSecondFactor(context.pool.db, account))) return redirect(response, addressOf(visit, ''))
  if (!sent)
    return show(visit, 200, {
      title: t('identity.remove-second.title'),
      intro: t('identity.remove-second.text'),
      blocks: [
        { kind: 'form', form: accountForm(visit, 'second-step/remove', [], 'identity.account.second-remove', { look: 'danger' }) },
        { kind: 'links', links: [{ href: addressOf(visit, ''), label: t('identity.account.title') }] },
      ],
    })
  await asCommand(context.pool, async ({ db }) => {
    await turnOffTotp(db, account)
    await notifyOwner(visit, db, account, 'second-off')
  })
  redirect(response, addressOf(visit, '', { done: 'second-off' }))
}

async function addPasskey(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  const { context, account, request, response } = visit
  const name = deviceName(String(request.headers['user-agent'] ?? ''))
  const isKept = sent !== undefined && (await keepPasskey(visit, account, sent.get('passkey') ?? '', name))
  if (isKept) await notifyOwner(visit, context.pool.db, account, 'passkey')
  redirect(response, addressOf(visit, '', { done: isKept ? 'passkey' : 'passkey-failed' }))
}

async function dropPasskey(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  if (sent) await removePasskey(visit.context.pool.db, visit.account, sent.get('id') ?? '')
  redirect(visit.response, addressOf(visit, '', { done: 'removed' }))
}

/** Ends the session of one device, or of all; every token issued there ends with it. */
async function signOutDevice(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  const { context, realm, account, uid, response, site } = visit
  const device = sent?.get('device')
  if (device === 'all') {
    await asCommand(context.pool, async ({ db }) => {
      await endChange(db, account)
      await endSessionsOf(db, context, account)
    })
  } else if (device && (await devicesOf(context.pool.db, account)).some((each) => each.uid === device))
    await endSession(context.pool.db, context, account, device)
  if (device !== 'all' && device !== uid) return redirect(response, addressOf(visit, '', { done: 'device' }))
  const secure = isSecure(context.url) ? '; Secure' : ''
  response.appendHeader('set-cookie', `${sessionCookie(context.url, realm)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure}`)
  if (site) return redirect(response, `${site.origin}/`)
  showSignedOut(visit)
}
