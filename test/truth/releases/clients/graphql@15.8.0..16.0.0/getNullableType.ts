import { getNullableType } from 'graphql'

export const none: undefined = getNullableType(undefined)
