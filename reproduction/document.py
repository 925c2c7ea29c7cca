def document():
    return ""
