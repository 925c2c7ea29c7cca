# SPDX-License-Identifier: MIT
# In the comments of headers, \ and @ begin no commands of Doxygen.
/[/]{3}/s/[\\@]/\\&/g
