import type { ReactNode } from 'react'
import type { CompanyMembershipFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

interface Props {
  companies: readonly CompanyMembershipFragment[]
  context: ShopContext
  className?: string | undefined
}

/** The company that a member of several acts for, with a link to change it. */
export function ActingFor({ companies, context: { t }, className }: Props): ReactNode {
  const current = companies.find(({ isCurrent }) => isCurrent)
  if (!current || companies.length < 2) return null
  const link = (text: ReactNode) => <a href={`${paths.companySettings()}#companies`}>{text}</a>
  return <p className={className}>{t.rich('company.acting.hint', { link }, { company: current.name })}</p>
}
