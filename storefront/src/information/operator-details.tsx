import { Alert, Facts } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import type { OperatorFragment } from '../generated/documents.ts'

/** The operator's name and contact details. */
export function OperatorDetails({ operator, context: { t } }: { operator: OperatorFragment; context: ShopContext }): ReactNode {
  const { name, address, representative, register, vatNumber, email, phone, phoneFrom, phoneTo, isDemo } = operator
  return (
    <>
      {isDemo && <Alert severity="info">{t('text.operator.demo')}</Alert>}
      <Facts
        facts={[
          { label: t('text.operator.name'), value: name },
          {
            label: t('text.operator.address'),
            value: address.map((line) => (
              <span key={line}>
                {line}
                <br />
              </span>
            )),
          },
          { label: t('text.operator.representative'), value: representative },
          { label: t('text.operator.register'), value: register },
          { label: t('text.operator.vat'), value: vatNumber },
          { label: t('text.operator.email'), value: <a href={`mailto:${email}`}>{email}</a> },
          {
            label: t('text.operator.phone'),
            value: (
              <>
                <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
                <br />
                {t('text.operator.hours', { from: phoneFrom, to: phoneTo })}
              </>
            ),
          },
        ]}
      />
    </>
  )
}
