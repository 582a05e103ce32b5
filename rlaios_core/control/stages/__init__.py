"""The stages of an epoch, and the work beside epochs: each a function of the desk and a key.

Every stage writes its files first, then commits its report, index and event in one transaction. Killed
before that, it is simply run again and gives the same; asked for again after that, it returns its report.
"""
