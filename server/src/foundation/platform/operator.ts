import * as v from 'valibot'

/** The company that runs the shop, as named on its legal pages and in its mails. */
export interface Operator {
  name: string
  address: string[]
  /** Legal representative. */
  representative: string
  register: string
  vatNumber: string
  email: string
  phone: string
  /** "09:00": opening hours of the phone line, Monday to Friday, in the market's own time. */
  phoneFrom: string
  phoneTo: string
  /** Hosting provider, with address and phone. */
  host: string
  /** The consumer mediation body it belongs to. */
  mediator: string
  /** The account that pays sellers in euros. */
  iban: string
  /** Whether some of it is still a placeholder. */
  isDemo: boolean
}

/** An obvious placeholder, shown until the settings name a company. Refused on real domains. */
export const demoOperator = {
  OPERATOR_NAME: 'Purlin Demo',
  OPERATOR_ADDRESS: '1 Example Street|00000 Exampletown',
  OPERATOR_REPRESENTATIVE: 'Management of Purlin Demo',
  OPERATOR_REGISTER: 'Demo Register, No. 000000',
  OPERATOR_VAT_NUMBER: 'XX000000000',
  OPERATOR_EMAIL: 'help@purlin.example',
  OPERATOR_PHONE: '+44 1632 960000',
  OPERATOR_HOST: 'Purlin Demo Hosting, 1 Example Street, 00000 Exampletown, +44 1632 960001',
  OPERATOR_MEDIATOR: 'Demo Mediation Body, 1 Example Street, 00000 Exampletown',
  OPERATOR_IBAN: 'DE89370400440532013000',
} as const
export type OperatorSetting = keyof typeof demoOperator
export const operatorSettings = Object.keys(demoOperator) as OperatorSetting[]

const words = <Name extends OperatorSetting>(name: Name) =>
  v.optional(v.pipe(v.string(), v.maxLength(300, 'must have 300 characters at most')), demoOperator[name])

export const operatorEntries = {
  OPERATOR_NAME: words('OPERATOR_NAME'),
  OPERATOR_ADDRESS: words('OPERATOR_ADDRESS'),
  OPERATOR_REPRESENTATIVE: words('OPERATOR_REPRESENTATIVE'),
  OPERATOR_REGISTER: words('OPERATOR_REGISTER'),
  OPERATOR_VAT_NUMBER: words('OPERATOR_VAT_NUMBER'),
  OPERATOR_EMAIL: v.optional(v.pipe(v.string(), v.regex(/^[^<>@\s]+@[^<>@\s]+$/, 'must be a mail address')), demoOperator.OPERATOR_EMAIL),
  OPERATOR_PHONE: v.optional(
    v.pipe(v.string(), v.regex(/^\+[\d ()-]{6,24}$/, 'must be a number with its country code')),
    demoOperator.OPERATOR_PHONE,
  ),
  OPERATOR_HOURS: v.optional(v.pipe(v.string(), v.regex(/^\d\d:\d\d-\d\d:\d\d$/, 'must read from-to')), '09:00-17:00'),
  OPERATOR_HOST: words('OPERATOR_HOST'),
  OPERATOR_MEDIATOR: words('OPERATOR_MEDIATOR'),
  OPERATOR_IBAN: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN without blanks')),
    demoOperator.OPERATOR_IBAN,
  ),
}
export type OperatorEnvironment = { [Name in keyof typeof operatorEntries]: string }

export const operatorExamples: OperatorEnvironment = {
  OPERATOR_NAME: 'Purlin France SAS',
  OPERATOR_ADDRESS: '12 rue du Marché|69002 Lyon|France',
  OPERATOR_REPRESENTATIVE: 'the name of the managing director',
  OPERATOR_REGISTER: 'RCS Lyon 123 456 789',
  OPERATOR_VAT_NUMBER: 'FR12123456789',
  OPERATOR_EMAIL: 'help@purlin.fr',
  OPERATOR_PHONE: '+33 4 00 00 00 00',
  OPERATOR_HOURS: '09:00-17:00',
  OPERATOR_HOST: 'name, address and phone of the host',
  OPERATOR_MEDIATOR: 'name and address of the mediator',
  OPERATOR_IBAN: 'FR1420041010050500013M02606',
}

export function operatorOf(environment: OperatorEnvironment): Operator {
  const [phoneFrom = '', phoneTo = ''] = environment.OPERATOR_HOURS.split('-')
  return {
    name: environment.OPERATOR_NAME,
    address: environment.OPERATOR_ADDRESS.split('|').map((line) => line.trim()),
    representative: environment.OPERATOR_REPRESENTATIVE,
    register: environment.OPERATOR_REGISTER,
    vatNumber: environment.OPERATOR_VAT_NUMBER,
    email: environment.OPERATOR_EMAIL,
    phone: environment.OPERATOR_PHONE,
    phoneFrom,
    phoneTo,
    host: environment.OPERATOR_HOST,
    mediator: environment.OPERATOR_MEDIATOR,
    iban: environment.OPERATOR_IBAN,
    isDemo: operatorSettings.some((name) => environment[name] === demoOperator[name]),
  }
}
