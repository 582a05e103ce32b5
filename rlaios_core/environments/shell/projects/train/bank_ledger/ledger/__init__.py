from ledger.accounts import Account, Bank, InsufficientFunds

__all__ = ["Account", "Bank", "InsufficientFunds"]
