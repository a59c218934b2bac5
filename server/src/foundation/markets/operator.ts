import type { Market } from '@purlin/contract/markets.ts'

/** The company that runs the shop, as its legal pages and mails name it. */
export interface Operator {
  name: string
  address: string[]
  /** Who may speak for it in law. */
  representative: string
  register: string
  vatNumber: string
  email: string
  phone: string
  /** "09:00": when the phone is answered, Monday to Friday, in the market's own time. */
  phoneFrom: string
  phoneTo: string
  /** Who hosts the shop, with address and phone. */
  host: string
  /** The consumer mediator it belongs to. */
  mediator: string
  isDemo: boolean
}

/** Plainly nobody's: what the pages say until somebody sets who they are. */
const demoValues = {
  OPERATOR_NAME: 'Purlin Demo',
  OPERATOR_ADDRESS: '1 Example Street|00000 Exampletown',
  OPERATOR_REPRESENTATIVE: 'Management of Purlin Demo',
  OPERATOR_REGISTER: 'Demo Register, No. 000000',
  OPERATOR_VAT_NUMBER: 'XX000000000',
  OPERATOR_EMAIL: 'help@purlin.example',
  OPERATOR_PHONE: '+44 1632 960000',
  OPERATOR_HOST: 'Purlin Demo Hosting, 1 Example Street, 00000 Exampletown, +44 1632 960001',
  OPERATOR_MEDIATOR: 'Demo Mediation Body, 1 Example Street, 00000 Exampletown',
} as const
type OperatorSetting = keyof typeof demoValues
const settingNames = Object.keys(demoValues) as OperatorSetting[]

/** A setting for one market (`OPERATOR_NAME_DE`) stands before the one for all (`OPERATOR_NAME`). */
function valueOf(env: NodeJS.ProcessEnv, setting: OperatorSetting, market: Market): string | undefined {
  return env[`${setting}_${market.toUpperCase()}`] || env[setting] || undefined
}

/** Settings that still name nobody in this market. Where real buyers come, this list must be empty. */
export function missingOperatorSettings(market: Market, env: NodeJS.ProcessEnv = process.env): string[] {
  return settingNames.filter((setting) => (valueOf(env, setting, market) ?? demoValues[setting]) === demoValues[setting])
}

/** Who runs the shop in this market, from the settings named OPERATOR_… */
export function operatorOf(market: Market, env: NodeJS.ProcessEnv = process.env): Operator {
  const value = (setting: OperatorSetting): string => valueOf(env, setting, market) ?? demoValues[setting]
  const hours = env[`OPERATOR_HOURS_${market.toUpperCase()}`] || env['OPERATOR_HOURS'] || '09:00-17:00'
  const [phoneFrom = '', phoneTo = ''] = hours.split('-').map((time) => time.trim())
  return {
    name: value('OPERATOR_NAME'),
    address: value('OPERATOR_ADDRESS')
      .split('|')
      .map((line) => line.trim()),
    representative: value('OPERATOR_REPRESENTATIVE'),
    register: value('OPERATOR_REGISTER'),
    vatNumber: value('OPERATOR_VAT_NUMBER'),
    email: value('OPERATOR_EMAIL'),
    phone: value('OPERATOR_PHONE'),
    phoneFrom,
    phoneTo,
    host: value('OPERATOR_HOST'),
    mediator: value('OPERATOR_MEDIATOR'),
    isDemo: missingOperatorSettings(market, env).length > 0,
  }
}
