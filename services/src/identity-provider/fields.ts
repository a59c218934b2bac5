import { isEmail } from '@purlin/contract/email.ts'
import { type Realm, maxNameLength, professionalRoles, trades } from '@purlin/contract/identity.ts'
import { type Account, normalizeEmail } from './accounts.ts'
import type { FieldModel } from './pages/model.ts'
import { registerNumberOf } from '@purlin/server/people/companies/conversion.ts'
import { isVatNumber } from '@purlin/server/people/tax/vat-number.ts'
import { maxPasswordLength } from './password.ts'
import { textOf, type Visit } from './visit.ts'
import type { Word } from './words.ts'

/** Validation errors of a form, one message per field. */
export type Problems = Partial<Record<string, Word>>

export const shortestPassword = 10

export function emailField({ t }: Visit, value: string, problem?: Word): FieldModel {
  const error = problem && { error: t(problem) }
  return { name: 'email', label: t('identity.field.email'), type: 'email', autoComplete: 'username', inputMode: 'email', value, ...error }
}

export function newPasswordField(
  { t }: Visit,
  { problem, isOptional }: { problem?: Word | undefined; isOptional?: boolean } = {},
): FieldModel {
  const hint = t(isOptional ? 'identity.field.password-optional-hint' : 'identity.field.password-hint')
  return {
    name: 'password',
    label: t(isOptional ? 'identity.field.password' : 'identity.field.new-password'),
    type: 'password',
    autoComplete: 'new-password',
    hint,
    maxLength: maxPasswordLength,
    ...(isOptional && { isOptional }),
    ...(problem && { error: t(problem) }),
  }
}

export type PasswordProblem = 'identity.wrong.short' | 'identity.wrong.own' | 'identity.wrong.breached'

/** Words that a person's password must not contain. */
export function wordsOfPerson({ givenName, familyName, email }: Pick<Account, 'givenName' | 'familyName' | 'email'>): string[] {
  return [givenName, familyName, email.split('@')[0] ?? '']
}

/** Reason to refuse a new password: too short, known from breaches, or derived from the person's details. */
export async function passwordProblem(
  { context }: Pick<Visit, 'context'>,
  password: string,
  about: readonly string[],
): Promise<PasswordProblem | undefined> {
  if (Array.from(password).length < shortestPassword) return 'identity.wrong.short'
  const plain = password.toLowerCase()
  if (about.some((word) => word.length >= 4 && plain.includes(word.toLowerCase()))) return 'identity.wrong.own'
  return (await context.breached.has(password)) ? 'identity.wrong.breached' : undefined
}

/** Fields of the registration form. */
export interface Registration {
  email: string
  givenName: string
  familyName: string
  companyName: string | null
  trade: string | null
  vatNumber: string | null
  /** Number in the company register, instead of a VAT number. */
  registerNumber: string | null
  professionalRole: string | null
}

/** Professionals name their company; in the unified realm that comes later, in the shop. */
export function requiresCompany(realm: Realm): boolean {
  return realm === 'b2b'
}

/** Only known fields: anything else in a form is ignored (A71). */
export function readRegistration(
  { realm, site }: Pick<Visit, 'realm' | 'site'>,
  form: URLSearchParams,
): { registration: Registration; problems: Problems } {
  const isPro = requiresCompany(realm)
  const registration: Registration = {
    email: normalizeEmail(form.get('email') ?? ''),
    givenName: textOf(form, 'given_name', maxNameLength),
    familyName: textOf(form, 'family_name', maxNameLength),
    companyName: isPro ? textOf(form, 'company', 120) : null,
    trade: isPro ? textOf(form, 'trade', 40) : null,
    vatNumber: isPro
      ? textOf(form, 'vat_number', 20)
          .replace(/[\s.-]/g, '')
          .toUpperCase()
      : null,
    registerNumber: isPro ? textOf(form, 'register_number', 30) : null,
    professionalRole: isPro ? textOf(form, 'role', 40) : null,
  }
  const { email, givenName, familyName, companyName, trade, vatNumber, registerNumber: typed, professionalRole } = registration
  const registerNumber = typed ? registerNumberOf(site?.country ?? 'GB', typed) : null
  const problems: Problems = {
    ...(!isEmail(email) && { email: 'identity.wrong.email' }),
    ...(!givenName && { given_name: 'identity.wrong.required' }),
    ...(!familyName && { family_name: 'identity.wrong.required' }),
    ...(isPro && !companyName && { company: 'identity.wrong.required' }),
    ...(isPro && !(trades as readonly string[]).includes(trade ?? '') && { trade: 'identity.wrong.required' }),
    ...(isPro && proofProblems(vatNumber ?? '', typed ?? '', registerNumber)),
    ...(isPro && !(professionalRoles as readonly string[]).includes(professionalRole ?? '') && { role: 'identity.wrong.required' }),
  }
  // A mistyped number is shown as it was typed.
  return { registration: { ...registration, vatNumber: vatNumber || null, registerNumber: registerNumber ?? (typed || null) }, problems }
}

/** One of the two numbers is proof enough; each that was entered has to be right. */
function proofProblems(vatNumber: string, typed: string, registerNumber: string | null): Problems {
  if (vatNumber === '' && typed === '') return { vat_number: 'identity.wrong.proof' }
  return {
    ...(vatNumber !== '' && vatProblem(vatNumber)),
    ...(typed !== '' && registerNumber === null && { register_number: 'identity.wrong.register' as const }),
  }
}

function vatProblem(number: string): Problems {
  if (Object.values(vatExamples).includes(number)) return { vat_number: 'identity.wrong.vat-example' }
  return isVatNumber(number) ? {} : { vat_number: 'identity.wrong.vat' }
}

export function registrationFields(visit: Visit, typed: Registration, problems: Problems): FieldModel[] {
  const { t, realm, site } = visit
  const error = (name: string) => (problems[name] ? { error: t(problems[name]) } : {})
  const text = (name: string, label: Word, value: string, autoComplete: string): FieldModel => ({
    name,
    label: t(label),
    value,
    autoComplete,
    ...error(name),
  })
  const person = [
    { ...text('given_name', 'identity.field.given-name', typed.givenName, 'given-name'), maxLength: maxNameLength },
    { ...text('family_name', 'identity.field.family-name', typed.familyName, 'family-name'), maxLength: maxNameLength },
    emailField(visit, typed.email, problems['email']),
    newPasswordField(visit, { problem: problems['password'], isOptional: true }),
  ]
  if (!requiresCompany(realm)) return person
  const country = site?.country ?? 'GB'
  const choice = (name: string, label: Word, value: string | null, options: readonly { value: string; label: string }[]): FieldModel => ({
    name,
    label: t(label),
    type: 'select',
    value: value ?? '',
    options: [{ value: '', label: t('identity.field.choose') }, ...options],
    ...error(name),
  })
  const group = t('identity.field.proof')
  return [
    text('company', 'identity.field.company', typed.companyName ?? '', 'organization'),
    choice(
      'trade',
      'identity.field.trade',
      typed.trade,
      trades.map((trade) => ({ value: trade, label: t(`identity.trade.${trade}`) })),
    ),
    {
      ...text('vat_number', 'identity.field.vat', typed.vatNumber ?? '', 'off'),
      hint: t('identity.field.vat-hint', { example: vatExamples[country] ?? 'GB123456789' }),
      group,
    },
    {
      ...text('register_number', 'identity.field.register', typed.registerNumber ?? '', 'off'),
      hint: t('identity.field.register-hint', { example: registerExamples[country] ?? '01234567' }),
      group,
    },
    choice(
      'role',
      'identity.field.role',
      typed.professionalRole,
      professionalRoles.map((role) => ({ value: role, label: t(`identity.role.${role}`) })),
    ),
    ...person,
  ]
}

const vatExamples: Record<string, string> = {
  GB: 'GB123456789',
  FR: 'FR12345678901',
  DE: 'DE123456789',
  ES: 'ESB12345678',
  IT: 'IT12345678901',
}

/** Examples of the form alone: they are nobody’s numbers. */
const registerExamples: Record<string, string> = {
  GB: '01234567',
  FR: '123 456 789',
  DE: 'HRB 12345',
  ES: 'B12345678',
  IT: 'MI 1234567',
}
